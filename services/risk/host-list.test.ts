import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listedNames, parseHostList, worst } from './host-list.js';

describe('the host list', () => {
  it('is read with comments, empty lines and any line ends', () => {
    const text = '# a comment\r\n\r\nBLOCK bad.example phishing, seen twice\n  WARN odd.example\n';
    expect(parseHostList(text)).toEqual([
      { host: 'bad.example', verdict: 'BLOCK', reason: 'phishing, seen twice' },
      { host: 'odd.example', verdict: 'WARN', reason: '' },
    ]);
  });

  it('is refused whole when a line is wrong, with each wrong line named', () => {
    expect(() => parseHostList('BLOCK ok.example\nDENY x.example\nBLOCK UPPER.example\nBLOCK')).toThrow(
      /line 2: DENY x\.example\nline 3: BLOCK UPPER\.example\nline 4: BLOCK/,
    );
  });

  it('that ships can be read', () => {
    expect(parseHostList(readFileSync(new URL('./host-list.txt', import.meta.url), 'utf8')).length).toBeGreaterThan(0);
  });

  it('names hold for what is below them, on label boundaries, and never a whole top-level domain', () => {
    expect(listedNames('a.b.bad.example')).toEqual(['a.b.bad.example', 'b.bad.example', 'bad.example']);
    expect(listedNames('notbad.example')).not.toContain('bad.example');
    expect(listedNames('localhost')).toEqual(['localhost']);
  });

  it('gives the worst of several entries', () => {
    const entry = (verdict: 'BLOCK' | 'REVIEW' | 'WARN') => ({ host: 'x', verdict, reason: '' });
    expect(worst([entry('WARN'), entry('BLOCK'), entry('REVIEW')])?.verdict).toBe('BLOCK');
    expect(worst([entry('WARN'), entry('REVIEW')])?.verdict).toBe('REVIEW');
    expect(worst([])).toBeUndefined();
  });
});
