"""A small tokenizer for the clients that insist on one: byte-level BPE whose tokens are bytes and pairs of letters."""

import json
import string

from . import machine


def _byte_letters():
    """The printable letter that byte-level BPE has for every byte: printable Latin-1 itself, the others from U+0100 on."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = (b for b in range(256) if b not in kept)
    return [chr(b) for b in kept] + [chr(256 + i) for i, _ in enumerate(others)]


def folder():
    """Made at the first call."""
    made = machine.WORK / "tokenizer"
    if (made / "tokenizer.json").exists():
        return made
    made.mkdir(parents=True, exist_ok=True)
    merges = [(a, b) for a in "\u0120" + string.ascii_lowercase for b in string.ascii_lowercase]
    vocabulary = {text: i for i, text in enumerate(["<|end|>", *_byte_letters(), *(a + b for a, b in merges)])}
    end = {"id": 0, "content": "<|end|>", "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
           "special": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    (made / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [end], "normalizer": None,
        "pre_tokenizer": byte_level, "post_processor": None, "decoder": byte_level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "vocab": vocabulary,
                  "merges": [" ".join(m) for m in merges]}}))
    (made / "tokenizer_config.json").write_text(json.dumps({
        "tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|end|>", "pad_token": "<|end|>",
        "model_max_length": 100000,
        "chat_template": "{% for m in messages %}{{ m['content'] }}{% endfor %}"}))
    return made
