"""Look into a database beside its stores."""

from contextlib import asynccontextmanager

import asyncpg


@asynccontextmanager
async def connected(url):
    """Connect to a database, with its tables in the search path."""
    connection = await asyncpg.connect(url, server_settings={"search_path": "lilygames"})
    try:
        yield connection
    finally:
        await connection.close()
