"""What is known to be in another language is told; what is unknown passes."""

from __future__ import annotations

import pytest

from groundedgen.judges.languages import foreign_to


@pytest.mark.parametrize(
    ("declared", "text", "found"),
    [
        (["en"], "The tenant pays the rent in May.", None),
        (["en"], "Les inondations ne sont pas couvertes par la police.", "fr"),
        (["en"], "Наводнения не покрываются.", "Cyrillic"),
        (["en-GB"], "The fee is due in May.", None),
        (["en"], "12 % — 2024", None),
        (["en", "fr"], "Les inondations ne sont pas couvertes par la police.", None),
        (["ru"], "Наводнения не покрываются.", None),
        (["ru"], "The fee is due in May.", "Latin"),
        (["zh"], "被保险人必须通知我们。", None),
        (["sv"], "Hyran ska betalas i maj och den är för hög.", None),
        (["en"], "Kein Schutz", None),
        (["en"], "", None),
    ],
)
def test_foreign_texts(declared, text, found):
    assert found == foreign_to(declared, text)
