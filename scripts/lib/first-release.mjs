// What the first release changes: the repository's address, and the commands that get Coxswain from npm.
import { betweenMarks } from './generated.mjs';

/** Stands in package.json until there is a repository; no other file has an address of ours. */
const MADE_UP = 'coxswain-sdk/coxswain';

/** Why a package with this manifest cannot be released; undefined if it can. */
export function addressProblem({ homepage, repository, bugs }) {
  if (!isMadeUp(`${homepage} ${repository.url} ${bugs}`)) return undefined;
  return `package.json has the made-up address ${MADE_UP}: give the real one with --repository owner/name`;
}

/** The manifest with the addresses of a repository on GitHub. @throws if `name` is not `owner/name`. */
export function withRepository(manifest, name) {
  const [, owner, project] = /^([\w.-]+)\/([\w.-]+)$/.exec(name) ?? [];
  if (owner === undefined || isMadeUp(name)) throw new Error(`--repository takes owner/name, not ${name}`);
  return {
    ...manifest,
    homepage: `https://${owner.toLowerCase()}.github.io/${project}/`,
    repository: { ...manifest.repository, url: `git+https://github.com/${name}.git` },
    bugs: `https://github.com/${name}/issues`,
  };
}

function isMadeUp(text) {
  return text.includes(MADE_UP.split('/')[0]);
}

/** Pages whose first commands are those of a clone until the package is on npm. */
export const PAGES = ['README.md', 'docs/start/quick-start.md'];

const TRY = `\`\`\`sh
npx coxswain demo                # try it: no key, no network, no Claude installed

npm ci && npm run demo           # the same in a clone of the repository
npm ci && npm test               # run the tests offline, including real CLIs (\`npm run test:all\` runs everything)
\`\`\``;

const INSTALL = `\`\`\`sh
npm install coxswain
npm install @anthropic-ai/claude-code    # or use the CLI you have
npx coxswain doctor                      # check the setup
\`\`\``;

/** A page with the commands that get Coxswain from npm. */
export function withNpmCommands(page) {
  return betweenMarks(betweenMarks(page, 'try', TRY), 'install', INSTALL);
}
