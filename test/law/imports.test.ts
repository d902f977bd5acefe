import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['model', 'runtime', 'gateway', 'services', 'dev', 'test', 'bench'];

/** What the files of a folder may import of ours, beside the folder itself. Tests may import anything. */
const LAW: { folder: RegExp; may: RegExp }[] = [
  { folder: /^model\//, may: /^model\// },
  { folder: /^runtime\//, may: /^(runtime|gen)\// },
  { folder: /^gateway\//, may: /^(gateway|model|runtime|gen)\// },
  { folder: /^services\/([^/]+)\//, may: /^(model|runtime|gen)\// },
];

/** Drivers that one place alone may import; everything else goes through it. */
const DRIVERS: { name: string; allowed: RegExp }[] = [
  { name: 'nats', allowed: /^runtime\/(nats|streams|stream-follower|stream-worker|stream-backlog)\.ts$/ },
  { name: 'ioredis', allowed: /^runtime\/redis\.ts$/ },
  {
    name: 'mongodb',
    allowed: /^(runtime\/(mongo|mongo-fault|lease|outbox)|dev\/engine-mongod|services\/[^/]+\/store(\/[^/]+)?)\.ts$/,
  },
];

interface Import {
  file: string;
  specifier: string;
  /** Relative to the root, for imports of ours. */
  target: string | undefined;
}

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts'));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) => ({
    file,
    specifier,
    target: specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), specifier)) : undefined,
  }));
}

const all = FOLDERS.flatMap((folder) => {
  try {
    return sources(folder);
  } catch {
    return [];
  }
});
const imports = all.filter((file) => !file.endsWith('.test.ts')).flatMap(importsOf);

describe('the import law', () => {
  it('finds the sources that it judges', () => {
    expect(imports.filter((each) => each.target).length).toBeGreaterThan(100);
  });

  it('keeps every folder to what it may know', () => {
    const broken = imports.filter(({ file, target }) => {
      const rule = LAW.find(({ folder }) => folder.test(file));
      const own = /^services\/[^/]+\//.exec(file)?.[0];
      return rule && target && !rule.may.test(target) && !(own && target.startsWith(own));
    });
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('keeps services to themselves: only dev, test and bench import one', () => {
    const broken = imports.filter(
      ({ file, target }) => target?.startsWith('services/') && !/^(services|dev|test|bench)\//.test(file),
    );
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('reaches each driver in one place alone', () => {
    const broken = imports.filter(({ file, specifier }) => {
      const driver = DRIVERS.find(({ name }) => name === specifier);
      return driver && !/^(test|bench)\//.test(file) && !driver.allowed.test(file);
    });
    expect(broken.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('reads the environment only where settings are read', () => {
    const reading = all.filter(
      (file) => !file.endsWith('.test.ts') && /process\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    const allowed = /(^services\/[^/]+|^gateway|^dev)\/main\.ts$|^dev\/|^test\/|^bench\//;
    expect(reading.filter((file) => !allowed.test(file))).toEqual([]);
  });
});
