"""The page: HTTP for its files, and a websocket for each person. Only this folder imports aiohttp's server."""
