import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { useReach } from '../store/context.js';
import { useFresh } from './use-fresh.js';

/** A server's tools, with what the CLI reports about them. */
export function McpTools({ session, server }: { session: string; server: string }) {
  const { link } = useReach();
  const fresh = useFresh(true, () => link.command('mcp.tools', { server }, { session }));
  const tools = fresh.value?.tools;
  return (
    <div className="server-tools">
      {fresh.asking && <p className="faint">Asking the CLI…</p>}
      {fresh.problem !== undefined && <p className="problem">{fresh.problem}</p>}
      {tools?.length === 0 && <p className="faint">No tools listed.</p>}
      {tools?.some(isBare) === true && <p className="faint">This CLI lists tools without descriptions.</p>}
      <dl>
        {tools?.map((tool) => (
          <div key={String(tool.name)}>
            <dt>
              <code>{String(tool.name)}</code> <span className="faint">{traits(tool)}</span>
            </dt>
            <dd>
              {typeof tool.description === 'string' && <p>{tool.description}</p>}
              {isObject(tool.inputSchema) && <Schema schema={tool.inputSchema} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function isBare({ description, inputSchema }: WireObject): boolean {
  return description === undefined && inputSchema === undefined;
}

function Schema({ schema }: { schema: WireObject }) {
  return (
    <details>
      <summary>Input</summary>
      <pre tabIndex={0}>{JSON.stringify(schema, null, 2)}</pre>
    </details>
  );
}

function traits({ annotations }: WireObject): string {
  const told = isObject(annotations) ? annotations : {};
  return [
    told.readOnly === true && 'only reads',
    told.destructive === true && 'destructive',
    told.openWorld === true && 'reaches outside',
  ]
    .filter(Boolean)
    .join(', ');
}
