"""Sends one request through Sonde and saves the response; continues where it left off, even after it was killed.

Beside OUTPUT it keeps OUTPUT.resume: the idempotency key, the signed URL, and how far the output is complete. The key is
saved before the request is sent, so that a second run never calls the upstream a second time.
"""

import argparse
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

TRIES = 10
# Longer than a long-poll of the server, which is 20 s.
TIMEOUT_S = 60


def attempt(call):
    """Repeats a call that got no response, or one that says to try again."""
    for failures in range(TRIES):
        try:
            return call()
        except urllib.error.HTTPError as error:
            if error.code not in (409, 429, 503) or failures == TRIES - 1:
                sys.exit(f"error: {error.code} {error.read(2000).decode(errors='replace')}")
        except (OSError, http.client.HTTPException) as error:
            if failures == TRIES - 1:
                sys.exit(f"error: {error}")
        time.sleep(min(5, 0.1 * 2**failures))


class Download:
    def __init__(self, output):
        self.output = output
        self.notes = output + ".resume"
        self.state = {"key": str(uuid.uuid4()), "url": None, "offset": "-1", "bytes": 0}
        if os.path.exists(self.notes):
            with open(self.notes, encoding="utf-8") as file:
                self.state = json.load(file)

    def save(self):
        with open(self.notes + ".new", "w", encoding="utf-8") as file:
            json.dump(self.state, file)
        os.replace(self.notes + ".new", self.notes)

    def create(self, server, args):
        self.save()
        headers = {
            "Authorization": f"Bearer {args.token}",
            "Idempotency-Key": self.state["key"],
            "Upstream-URL": args.url,
            "Upstream-Method": args.method or ("POST" if args.data else "GET"),
            "Content-Type": args.content_type,
        }
        if args.auth:
            headers["Upstream-Authorization"] = args.auth
        data = args.data.encode() if args.data else None
        request = urllib.request.Request(f"{server}/v1/proxy", data, headers, method="POST")

        def send():
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
                return response.headers["Location"]

        self.state["url"] = attempt(send)
        self.save()

    def read(self):
        """One read: writes its bytes, then notes the offset after them. Returns the response's headers."""
        url = f"{self.state['url']}&offset={self.state['offset']}&live=long-poll"
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as response:
            body = response.read()
            with open(self.output, "r+b") as file:
                # What a killed run wrote and did not note is overwritten.
                file.truncate(self.state["bytes"])
                file.seek(self.state["bytes"])
                file.write(body)
            self.state["bytes"] += len(body)
            self.state["offset"] = response.headers["Stream-Next-Offset"]
            self.save()
            return response.headers

    def run(self, server, args):
        if self.state["url"] is None:
            self.create(server, args)
        with open(self.output, "ab"):
            pass
        while True:
            headers = attempt(self.read)
            if headers["Stream-Closed"] == "true":
                break
        os.remove(self.notes)
        return headers["Upstream-Outcome"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url", help="the upstream's URL")
    parser.add_argument("output", help="the file that the response is saved to")
    parser.add_argument("--data", help="the body of the request")
    parser.add_argument("--method", help="POST with --data, else GET")
    parser.add_argument("--content-type", default="application/json")
    parser.add_argument("--auth", help="the upstream's Authorization header")
    parser.add_argument("--server", default=os.environ.get("SONDE_SERVER", "http://127.0.0.1:4747"))
    parser.add_argument("--token", default=os.environ.get("SONDE_TOKEN", ""))
    args = parser.parse_args()
    download = Download(args.output)
    outcome = download.run(args.server.rstrip("/"), args)
    print(f"{outcome}: {download.state['bytes']} bytes in {args.output}")
    if outcome != "completed":
        sys.exit(1)


if __name__ == "__main__":
    main()
