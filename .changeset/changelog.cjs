// How `changeset version` writes a change into CHANGELOG.md: the line alone, without the hash of a commit.
module.exports = {
  // A change without a line only raises the version.
  getReleaseLine: async ({ summary }) =>
    summary === '' ? '' : `- ${summary.trimEnd().replaceAll('\n', '\n  ')}`,
  getDependencyReleaseLine: async () => '',
};
