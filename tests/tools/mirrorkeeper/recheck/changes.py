"""Changes around a mirror that a kept answer must not survive, beside those of the table of mutations."""

# ruff: noqa: E501 - one change, one line

from __future__ import annotations

from typing import NamedTuple

from tests.tools.mirrorkeeper.mutations import MUTATIONS

_EACH = ((), ("--prove",))


class Change(NamedTuple):
    """A change of a project whose answers are kept: name, shell command in its folder, and what is there before.

    Attributes:
        name: of the change.
        command: the change.
        before: a shell command that prepares the project.
        folder: the project as the programs are told, relative to it; empty for the current folder.
        options: those of each answer.
        is_kept: whether their answers are kept.
    """

    name: str
    command: str
    before: str = ":"
    folder: str = ""
    options: tuple[tuple[str, ...], ...] = _EACH
    is_kept: bool = True


MUTATED = tuple(Change(one.name, one.command) for one in MUTATIONS)
CHANGES = (
    Change("nothing", ":"),
    Change("a lost object", "find .git/objects -type f -name '??????*' | head -1 | xargs rm -f"),
    Change("a damaged object", "f=$(find .git/objects -type f | head -1) && chmod +w $f && printf x >> $f"),
    Change("another last commit", "git commit -q --allow-empty -m more"),
    Change("another branch", "git checkout -q -b other HEAD"),
    Change("packed references", "git pack-refs --all"),
    Change("packed objects", "git gc -q"),
    Change("settings of the repository", "git config core.fileMode false"),
    Change("settings of the person", 'git config --file "$HOME/.gitconfig" core.attributesFile none'),
    Change("attributes of the person", 'mkdir -p "$HOME/.config/git" && echo "* ident" > "$HOME/.config/git/attributes"'),
    Change("an empty folder in the mirror", "mkdir mirror/gateway/none"),
    Change("an interrupted synchronization", "mkdir mirror/.gateway.sync && echo x > mirror/.gateway.sync/journal.json"),
    Change("an interrupted refresh", "mkdir mirror/.gateway.edit && echo x > mirror/.gateway.edit/refreshing.json"),
    Change("the upper folder as a link", "mv mirror k && ln -s k mirror"),
    Change("the patches as a link", "mv patches k && ln -s k patches"),
    Change("the declaration as a link", "mv mirror/upstream.toml k && ln -s ../k mirror/upstream.toml"),
    Change("a file replaced by an equal one", "cp mirror/gateway/README.md k && mv k mirror/gateway/README.md"),
    Change("no repository", "mv .git k"),
    Change("a HEAD that is damaged", "echo x > .git/HEAD"),
    Change("objects borrowed of another repository", "cp -R .git/objects k && echo ../../k > .git/objects/info/alternates"),
    Change("a link to the project leads elsewhere", "ln -sfn twin ../current", "cp -a . ../twin && printf x >> ../twin/mirror/gateway/README.md && ln -s fork ../current", "../current"),
    Change("a link to the bundles leads elsewhere", "ln -sfn twin mirror/upstream", "mv mirror/upstream mirror/real && cp -a mirror/real mirror/twin && printf x >> mirror/twin/v1.1.0.bundle && ln -s real mirror/upstream"),
    Change("a link to the repository leads elsewhere", "ln -sfn two ../link", "mv .git ../one && cp -a ../one ../two && git --git-dir=../two --work-tree=. rm -rq --cached mirror/gateway && ln -s one ../link && echo gitdir: ../link > .git"),
    Change("a link in the place of the repository leads elsewhere", "ln -sfn ../two .git", "mv .git ../one && cp -a ../one ../two && git --git-dir=../two --work-tree=. rm -rq --cached mirror/gateway && ln -s ../one .git"),
    Change("a nearer repository", "git init -q .", "mv .git .. && cd .. && git read-tree --empty && git add -A fork && git commit -qm moved"),
    Change("a nearer bare repository", "git init -q --bare k && cp -R k/* .", "mv .git .. && cd .. && git read-tree --empty && git add -A fork && git commit -qm moved"),
    Change("an ignored file is not ignored any more", ": > .git/info/exclude", "mkdir -p .git/info && echo more.txt > .git/info/exclude && touch mirror/gateway/more.txt", options=(("--ignored", "ignore"),)),
    Change("a file is not ignored by the project any more", "git rm -q --cached .gitignore && rm .gitignore", "echo more.txt > .gitignore && git add .gitignore && git commit -qm ignore && touch mirror/gateway/more.txt", options=(("--ignored", "ignore"),)),
    Change("objects lost behind a link", "rm -rf ../kept/??", "mv .git/objects ../kept && ln -s ../../kept .git/objects"),
    Change("objects lost behind a link among them", "rm -rf ../kept/??/*", "mkdir ../kept && mv .git/objects/?? ../kept && for one in ../kept/??; do ln -s ../../$one .git/objects/; done", is_kept=False),
    Change("an object lost behind a link", "rm -rf ../kept/.git", "mkdir ../kept && for one in .git/objects/??/*; do mkdir -p ../kept/$(dirname $one) && mv $one ../kept/$one && ln -s $PWD/../kept/$one $one; done", is_kept=False),
    Change("packs emptied behind a link", ": > ../kept/pack", "git gc -q && mkdir ../kept && for one in .git/objects/pack/*.pack; do mv $one ../kept/pack && ln -s $PWD/../kept/pack $one; done", is_kept=False),
    Change("references lost behind a link", "rm -rf ../kept/*", "mv .git/refs ../kept && ln -s ../../kept .git/refs"),
    Change("another git", "printf '#!/bin/sh\\nexit 3\\n' > ../tools/git && chmod +x ../tools/git", "mkdir ../tools"),
    Change("another version of the tools", "echo 'raise SystemExit(7)' >> ../lib/mirrorkeeper/mirror/verify/verify.py", "cp -a ../../lib .. && cp -a ../../bin .."),
)  # fmt: skip
