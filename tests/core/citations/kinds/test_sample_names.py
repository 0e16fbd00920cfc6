"""Which names in sample code are the repository's own."""

from __future__ import annotations

import pytest

from intermem.core.citations.extract import citations_of


def cited(code: str, language: str) -> list[str]:
    return [one.name for one in citations_of(f"```{language}\n{code}\n```\n") if one.kind == "symbol"]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("let oven = heat_up_rack(3);", ["heat_up_rack"]),
        ("let oven = rack.heat_up_rack(3);", ["rack.heat_up_rack"]),
        ("let oven = HotOven::new(3);", []),
        ("let oven = crates::HotOven::new(3);", []),
        ("heat(HOT_OVEN_RACK)", []),
        ("rack.handleFireAll(3);", ["rack.handleFireAll"]),
    ],
)
def test_a_name_of_three_words_is_its_own(code: str, names: list[str]) -> None:
    assert cited(code, "rust") == names


@pytest.mark.parametrize(
    ("comment", "is_about_style"),
    [
        ("// Do this:", True),
        ("// GOOD", True),
        ("// ❌ never", True),
        ("// wrong:", True),
        ("// do all of them", False),
        ("// Do this first: heat it", False),
        ("// good racks only", False),
        ("// heats it", False),
    ],
)
def test_code_that_tells_the_right_from_the_wrong_has_any_names(comment: str, is_about_style: bool) -> None:
    assert cited(f"{comment}\nlet oven = heat_up_rack(3);", "rust") == ([] if is_about_style else ["heat_up_rack"])


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("<Oven onFire={() => handleFireRack()} />", []),
        ("<Oven onFire={() => setIsOvenHot(true)} isOvenHot={isOvenHot} />", []),
        ("<Oven onFire={fireAllRacks} />", ["fireAllRacks"]),
    ],
)
@pytest.mark.parametrize("language", ["typescript", "jsx", "vue"])
def test_handlers_and_state_of_a_component_are_the_callers(code: str, names: list[str], language: str) -> None:
    assert cited(code, language) == names


def test_of_what_is_no_code_none_is() -> None:
    assert cited("let oven = heat_up_rack(3);", "diff") == []
