import pytest

from extension.texts.catalogue import languages
from extension.texts.choice import chosen_language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN"}, "zh-CN"),
        ({"LC_MESSAGES": "en_US.UTF-8", "LC_ALL": "zh_CN.gb18030"}, "zh-CN"),
        ({"LC_ALL": "en_US.UTF-8", "POOLKEEPER_LANG": "zh"}, "zh-CN"),
        ({"LC_ALL": "zh_CN.UTF-8", "POOLKEEPER_LANG": "en"}, "en"),
        ({"LC_ALL": "zh_CN.UTF-8", "POOLKEEPER_LANG": ""}, "zh-CN"),
        ({"POOLKEEPER_LANG": "zh-CN"}, "zh-CN"),
        ({"POOLKEEPER_LANG": "tlh", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_the_first_variable_with_a_value_decides_and_an_unknown_language_is_english(
    environment: dict[str, str], language: str
) -> None:
    assert chosen_language(environment, languages()) == language
