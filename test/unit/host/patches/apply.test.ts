import { parse } from 'acorn';
import { describe, expect, test } from 'vitest';
import { applyPatches } from '../../../../src/host/patches/apply.js';
import type { Patch, PatchResult } from '../../../../src/host/patches/patch.js';
import { builtinPatches, orderPatches } from '../../../../src/host/patches/registry.js';
import { tinyCli } from './tiny-cli.js';

const all = orderPatches(builtinPatches);
const parses = (code: string) => parse(code, { ecmaVersion: 'latest', sourceType: 'module' });

describe('the built-in patches', () => {
  test('find their places by shape, whatever the names', () => {
    const { code, reports, serves } = applyPatches(tinyCli, all, { version: '2.0.73' });
    expect(reports.filter(({ success }) => !success)).toEqual([]);
    expect(() => parses(code)).not.toThrow();
    expect(serves.toSorted()).toEqual([
      'agent_run_to_background',
      'get_chrome_status',
      'mcp_disable',
      'mcp_enable',
      'mcp_reconnect',
      'mcp_tools',
      'parentUuid',
      'stop_task',
    ]);
    for (const part of [
      'coxswainConnect:connectAnew)(name,server.config)',
      'async function coxswainConnect(n,c){try{void 0;let k=await open(n,c)',
      'await shut(name,server.config)',
      'await lookForIt()',
      'readConf().claudeInChromeDefaultEnabled',
      'agentId:id,message:said',
      'move:()=>moveIt(),input:inp',
      'coxswainParent:msg.parentUuid',
      'else bad(msg,"Unsupported control request subtype: "',
      'coxswain_patches:[{"id":"001-run-in-background","version":4,"serves":["agent_run_to_background"',
    ])
      expect(code).toContain(part);
  });

  test('declare no name twice', () => {
    const { code } = applyPatches(tinyCli, all);
    const names = [...code.matchAll(/\bfunction (coxswain\w+)/g)].map(([, name]) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test.each(all.map((patch) => [patch.id, patch] as const))('%s applies alone', (_id, patch) => {
    const { code, reports } = applyPatches(tinyCli, [patch]);
    expect(reports).toMatchObject([{ success: true }]);
    expect(() => parses(code)).not.toThrow();
  });

  test('001-run-in-background also fits CLIs that keep running agents in their state', () => {
    const mover =
      'function moveAgent(id,get,set){let t=get().tasks[id];if(!ok(t)||t.isBackgrounded)return!1;set((s)=>s);return!0}';
    const source = `${tinyCli.replaceAll('onBackground:', 'elsewhere:')}${mover}`;
    const { code, reports } = applyPatches(
      source,
      all.filter(({ id }) => id === '001-run-in-background'),
    );
    expect(reports).toMatchObject([{ success: true, details: ['agents can be moved by moveAgent'] }]);
    expect(code).toContain('moveAgent(id,()=>state,setState)');
    expect(() => parses(code)).not.toThrow();
  });

  test('001-run-in-background moves only commands if the CLI cannot move agents', () => {
    // As before 2.0.60: no agent loop to leave, no queue of notices, no id in the messages of the dispatcher.
    const source = tinyCli
      .replace('next({agentId:id})', 'next()')
      .replaceAll(/onEnqueued:|session_id:/g, 'elsewhere:');
    const only = all.filter(({ id }) => id === '001-run-in-background');
    const { code, reports } = applyPatches(source, only);
    expect(reports).toMatchObject([{ success: true, details: ['only commands can be moved'] }]);
    expect(code).toContain('coxswainTellOfCommand');
    expect(code).not.toContain('coxswainIsNotice');
    expect(() => parses(code)).not.toThrow();
  });

  test('a CLI that never refuses gets a function that does', () => {
    const { code, reports } = applyPatches(tinyCli.replaceAll('subtype:"error"', 'subtype:"other"'), all);
    expect(reports.filter(({ success }) => !success)).toEqual([]);
    expect(code).toContain('response:{subtype:"error",request_id:asked.request_id,error}');
    expect(() => parses(code)).not.toThrow();
  });

  test.each([
    ['001-run-in-background', 'onBackground:', 'elsewhere:', 'onBackground: a'],
    ['001-run-in-background', 'only prompt commands', 'only words', 'only prompt commands are supported'],
    ['001-run-in-background', 'onEnqueued:', 'elsewhere:', 'onEnqueued'],
    ['002-chrome-status', 'isExtensionInstalled:', 'elsewhere:', 'isExtensionInstalled: a'],
    ['003-parent-uuid', 'promptUuid:', 'elsewhere:', 'promptUuid: c'],
    ['003-parent-uuid', 'mutableMessages:', 'elsewhere:', 'mutableMessages: a'],
    ['004-mcp-reconnect', 'Error during reconnection', 'Oh', 'Error during reconnection'],
    ['005-mcp-tools', '...dyn.tools]', ']', '[...a, ...b, ...c.tools]'],
    ['006-mcp-disable-enable', 'Error during reconnection', 'Oh', 'Error during reconnection'],
    ['007-unknown-subtype', 'request.subtype==="interrupt"', 'request.kind==="x"', 'request.subtype'],
  ])('%s names the missing anchor, and changes nothing', (id, part, other, anchor) => {
    const source = tinyCli.replaceAll(part, other);
    const patch = all.filter((each) => each.id === id);
    const { code, reports, serves } = applyPatches(source, patch);
    expect(reports).toMatchObject([{ id, success: false, details: [expect.stringContaining(anchor)] }]);
    expect(code).toBe(source);
    expect(serves).toEqual([]);
  });
});

describe('applyPatches', () => {
  const fails: Patch = {
    id: 'fails',
    description: 'Never fits',
    apply: (_ast, _types, _traverse, { missing }) => missing('a unicorn'),
  };

  test('stops everything if a required patch fails, and reports an optional one', () => {
    expect(() => applyPatches(tinyCli, [{ ...fails, required: true }], { version: '2.0.73' })).toThrow(
      expect.objectContaining({ code: 'PATCH_FAILED', message: expect.stringContaining('a unicorn') }),
    );
    const { code, reports } = applyPatches(tinyCli, [fails]);
    expect(reports).toEqual([
      { id: 'fails', required: false, success: false, details: ['not found: a unicorn'] },
    ]);
    expect(code).toBe(tinyCli);
  });

  test.each([
    ['nothing', () => undefined],
    ['a promise', async () => ({ success: true, details: [] })],
    ['text instead of a list', () => ({ success: true, details: 'done' })],
  ])('a patch that returns %s has failed, and the report says why', (_what, answer) => {
    const apply: Patch['apply'] = (_ast, _types, _traverse, { slice }) => {
      slice.before(slice.ast, '/*here*/');
      // As a patch in plain JavaScript would.
      return answer() as unknown as PatchResult;
    };
    const { code, reports } = applyPatches(tinyCli, [{ ...fails, apply }]);
    expect(reports).toMatchObject([
      { success: false, details: [expect.stringContaining('{ success, details }')] },
    ]);
    expect(code).toBe(tinyCli);
  });

  test('passes a patch the tree, the helpers and names, and keeps its edits only if it succeeds', () => {
    const marks: Patch = {
      id: 'marks',
      description: 'Marks every loop',
      apply: (ast, types, traverse, { slice, names, version }) => {
        let loops = 0;
        traverse(ast, (node) => {
          if (node.type !== 'ForOfStatement') return undefined;
          loops += 1;
          slice.before(node, '/*here*/');
          return 'skip';
        });
        const text = types.isFunction(ast) ? slice.text(ast).slice(0, 17) : '';
        return { success: version !== undefined, details: [`${loops} ${text} ${names.message}`] };
      },
    };
    const done = applyPatches(tinyCli, [marks], { version: '2.0.73' });
    expect(done.reports).toMatchObject([{ details: ['2 function dispatch msg'] }]);
    expect(done.code.split('/*here*/')).toHaveLength(3);
    expect(applyPatches(tinyCli, [marks]).code).toBe(tinyCli);
  });
});
