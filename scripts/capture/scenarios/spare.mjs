// The newest CLI, started in advance and claimed later.
export const spare = {
  options: () => ({ extraArgs: { 'await-claim': null } }),
  async run(cli) {
    const { cwd } = cli;
    await cli.ask('claim_session', { cwd, sdk_mcp_servers: [], include_initialize: true });
  },
};
