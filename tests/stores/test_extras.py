from __future__ import annotations

import subprocess
import sys

import pytest

from groundedgen.errors import MissingExtraError


@pytest.mark.parametrize(
    ("module", "sdk", "extra"),
    [("sql", "sqlalchemy", "sql"), ("openfga", "openfga_sdk", "openfga")],
)  # fmt: skip
def test_a_missing_sdk_is_an_error_that_names_the_extra(monkeypatch, module, sdk, extra):
    for name in [n for n in sys.modules if n == sdk or n.startswith(f"{sdk}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, sdk, None)
    monkeypatch.delitem(sys.modules, f"groundedgen.stores.{module}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"groundedgen\[{extra}\]"):
        __import__(f"groundedgen.stores.{module}")


def test_permissions_of_one_s_own_need_no_sdk():
    code = (
        "import sys, groundedgen, groundedgen.stores.authorized, groundedgen.reverify\n"
        "print({'sqlalchemy', 'openfga_sdk', 'jinja2'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "set()" == told.stdout.strip()
