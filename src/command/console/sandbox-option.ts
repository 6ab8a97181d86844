/** The text of the option in the commands' help. */
export const SANDBOX_OPTION = [
  '--sandbox <where>',
  'run each CLI in a sandbox: bubblewrap, bubblewrap:model (no network but the model), container:<image> (docker) or podman:<image>',
] as const;
