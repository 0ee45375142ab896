"""Changes around a mirror that a kept answer must not survive, beside those of the table of mutations."""

# ruff: noqa: E501 - one change, one line

from __future__ import annotations

from tests.tools.mirrorkeeper.mutations import Mutation

CHANGES = (
    Mutation("nothing", ":", ""),
    Mutation("a lost object", "find .git/objects -type f -name '??????*' | head -1 | xargs rm -f", ""),
    Mutation("a damaged object", "f=$(find .git/objects -type f | head -1) && chmod +w $f && printf x >> $f", ""),
    Mutation("another last commit", "git commit -q --allow-empty -m more", ""),
    Mutation("another branch", "git checkout -q -b other HEAD", ""),
    Mutation("packed references", "git pack-refs --all", ""),
    Mutation("packed objects", "git gc -q", ""),
    Mutation("settings of the repository", "git config core.fileMode false", ""),
    Mutation("settings of the person", 'git config --file "$HOME/.gitconfig" core.attributesFile none', ""),
    Mutation("attributes of the person", 'mkdir -p "$HOME/.config/git" && echo "* ident" > "$HOME/.config/git/attributes"', ""),
    Mutation("an empty folder in the mirror", "mkdir mirror/gateway/none", ""),
    Mutation("an interrupted synchronization", "mkdir mirror/.gateway.sync && echo x > mirror/.gateway.sync/journal.json", ""),
    Mutation("an interrupted refresh", "mkdir mirror/.gateway.edit && echo x > mirror/.gateway.edit/refreshing.json", ""),
    Mutation("the upper folder as a link", "mv mirror k && ln -s k mirror", ""),
    Mutation("the patches as a link", "mv patches k && ln -s k patches", ""),
    Mutation("the declaration as a link", "mv mirror/upstream.toml k && ln -s ../k mirror/upstream.toml", ""),
    Mutation("a file replaced by an equal one", "cp mirror/gateway/README.md k && mv k mirror/gateway/README.md", ""),
    Mutation("no repository", "mv .git k", ""),
    Mutation("a HEAD that is damaged", "echo x > .git/HEAD", ""),
    Mutation("objects borrowed of another repository", "cp -R .git/objects k && echo ../../k > .git/objects/info/alternates", ""),
)  # fmt: skip
