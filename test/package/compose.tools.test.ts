import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';

const tools = createRequire(new URL('../../tools/package.json', import.meta.url));
const { load } = tools('js-yaml') as { load: (text: string) => unknown };
const { default: Ajv } = tools('ajv') as {
  default: new (options: object) => { compile: (schema: object) => Validate };
};

type Validate = ((value: unknown) => boolean) & { readonly errors?: unknown };

interface Service {
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const compose = load(readFileSync('deploy/compose.yaml', 'utf8')) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};
const schema = JSON.parse(readFileSync('test/fixtures/compose/compose-spec.json', 'utf8')) as object;

describe('the compose file of a fleet', () => {
  const validate = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(schema);

  test('is valid, and a mistake would be found', () => {
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
    const { services } = compose;
    expect(validate({ ...compose, services: { ...services, other: { imagee: 'nats' } } })).toBe(false);
    expect(validate({ ...compose, services: { ...services, other: { ports: 7420 } } })).toBe(false);
  });

  test('starts three NATS servers, two workers and a gateway', () => {
    expect(Object.keys(compose.services)).toEqual(['nats-1', 'nats-2', 'nats-3', 'worker', 'gateway']);
    expect(compose.services.worker).toMatchObject({ deploy: { replicas: 2 } });
  });

  test.each(['worker', 'gateway'])('gives the %s options that the command has', (name) => {
    const [program, command = '', ...flags] = compose.services[name]?.command ?? [];
    expect(program).toBe('coxswain');
    const help = execFileSync(process.execPath, ['dist/command.js', command, '--help'], { encoding: 'utf8' });
    for (const flag of flags) expect(help).toContain(`${flag.split('=')[0]} `);
  });

  test('keeps what a worker could not send in a volume', () => {
    const { command = [], volumes = [] } = compose.services.worker ?? {};
    const state = command.find((flag) => flag.startsWith('--state='))?.slice('--state='.length);
    expect(volumes.map((volume) => volume.split(':')[1])).toContain(state);
    // A new volume belongs to the user of the image only if the image has the folder.
    expect(readFileSync('Dockerfile', 'utf8')).toMatch(new RegExp(`chown node:node .*${state}\\b`));
  });

  test('lets only servers with a password join the NATS cluster', () => {
    const conf = readFileSync('deploy/nats.conf', 'utf8');
    expect(conf).toMatch(
      /cluster \{[^}]*authorization \{\s*user: route\s*password: \$NATS_ROUTE_PASSWORD\s*\}/,
    );
    for (const name of ['nats-1', 'nats-2', 'nats-3']) {
      const { NATS_ROUTES: routes, NATS_ROUTE_PASSWORD: password } =
        compose.services[name]?.environment ?? {};
      expect(password).toMatch(/^\$\{NATS_ROUTE_PASSWORD:\?/);
      expect(routes?.match(/nats:\/\/route:\$\{NATS_ROUTE_PASSWORD\}@nats-[123]:6222/g)).toHaveLength(3);
    }
  });

  test('has NATS write to disk before it acknowledges', () => {
    expect(readFileSync('deploy/nats.conf', 'utf8')).toMatch(/^ {2}sync_interval: always$/m);
  });

  test('has the volumes and files that it names', () => {
    const sources = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => String(volume.split(':')[0]));
    for (const source of sources) {
      if (source.startsWith('./')) expect(readFileSync(`deploy/${source}`, 'utf8')).not.toBe('');
      else expect(compose.volumes).toHaveProperty([source]);
    }
  });
});
