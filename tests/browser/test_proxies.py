"""Web servers in front of the page, with the configurations that help/host/operations.md has for them.

Each test is skipped where its web server isn't installed.
"""

import asyncio
import re
import shutil
import ssl
import subprocess
from contextlib import asynccontextmanager

import pytest

from tests.browser.player import ByMouse, until
from tests.browser.servers import ROOT, free_port, served
from tests.deadline import DEADLINE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

OPERATIONS = ROOT / "help/host/operations.md"
NGINX = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {example}
}}
"""
CADDY = """
{{
    admin off
    auto_https disable_redirects
    skip_install_trust
    storage file_system {folder}
}}
{example}
"""


def example(comment):
    """Return the configuration that begins with a comment."""
    return re.search(rf"```\n# {comment}.*?\n(.+?)```", OPERATIONS.read_text("utf-8"), re.DOTALL)[1]


def installed(name):
    """Return the path of a program, or skip the test."""
    path = shutil.which(name)
    return path or pytest.skip(f"{name} isn't installed")


@asynccontextmanager
async def running(port, *command, **settings):
    """Run a web server until the end, once it accepts TLS connections for `localhost`."""
    process = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **settings
    )
    anyone = ssl.create_default_context()
    anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(DEADLINE):
            while True:
                assert process.returncode is None
                try:
                    _, writer = await asyncio.open_connection(
                        "127.0.0.1", port, ssl=anyone, server_hostname="localhost"
                    )
                except OSError:  # it doesn't listen yet, or has no certificate yet
                    await asyncio.sleep(0.05)
                else:
                    writer.close()
                    break
        yield f"https://localhost:{port}"
    finally:
        process.terminate()
        await process.wait()


def behind_nginx(folder, behind):
    """Return nginx with a certificate made here, as a context of its address."""
    program, port, key, certificate = installed("nginx"), free_port(), folder / "key", folder / "pem"
    subject = ["-subj", "/CN=localhost", "-days", "1", "-keyout", key, "-out", certificate]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject], check=True, capture_output=True
    )
    server = (
        example("nginx")
        .replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
        .replace("games.example;", "localhost;")
    )
    server = server.replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    server = server.replace("/etc/ssl/games.example.pem", f"{certificate}").replace(
        "/etc/ssl/games.example.key", f"{key}"
    )
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, example=server))
    return running(port, program, "-p", folder, "-c", folder / "nginx.conf")


def behind_caddy(folder, behind):
    """Return Caddy with a certificate of its own making, as a context of its address."""
    program, port = installed("caddy"), free_port()
    site = example("Caddyfile").replace("games.example {", f"https://localhost:{port} {{\n    bind 127.0.0.1")
    site = site.replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    (folder / "Caddyfile").write_text(CADDY.format(folder=folder, example=site))
    command = (program, "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile")
    return running(port, *command, env={"HOME": f"{folder}", "XDG_DATA_HOME": f"{folder}"})


@pytest.mark.parametrize("web_server", [behind_nginx, behind_caddy])
async def test_page_behind_a_web_server_plays_on_after_a_reload(web_server, tmp_path, visit):
    """The documented configuration passes on the page and its websocket."""
    folder = tmp_path / "proxy"
    folder.mkdir()
    async with (
        served(tmp_path, "--web-proxies", "127.0.0.1") as place,
        web_server(folder, place.ports["web"]) as url,
    ):
        page = await visit(url, ignore_https_errors=True)
        player = ByMouse(page, seed=3)
        await player.play("Ohell", most=2)
        await place.reload()
        await until(page, "() => document.querySelector('#connection').textContent.startsWith(\"You're back\")")

        assert 2 < await player.go_on()


async def test_page_behind_a_web_server_that_is_not_listed_says_that_it_cannot_connect(tmp_path, visit):
    """Without `web_proxies` the server doesn't believe that the page came over https."""
    folder = tmp_path / "proxy"
    folder.mkdir()
    async with served(tmp_path) as place, behind_nginx(folder, place.ports["web"]) as url:
        page = await visit(url, ignore_https_errors=True)

        assert await until(page, "() => document.querySelector('#connection').dataset.state === 'lost'")
