"""What the routes need is named where it is missing; the rest works without."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
sys.modules["fastapi"] = None
import groundedgen.web.sse, groundedgen.web.vercel
try:
    import groundedgen.web.router
except ImportError as error:
    print(type(error).__name__, error.extra)
"""


def test_a_missing_fastapi_names_the_extra_and_the_encoders_do_without():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert "MissingExtraError fastapi" == done.stdout.strip()
