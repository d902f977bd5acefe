import { createHash, hkdfSync } from 'node:crypto';

/** What a key is for. Each purpose has its own key, so that one leaking tells nothing of another. */
export type KeyPurpose = 'context';

export interface DerivedKey {
  /** First 4 bytes of the key's SHA-256: names it beside a signature. */
  id: Buffer;
  secret: Buffer;
}

/** One key of 32 bytes for each master key, in the same order: the first signs, all verify. */
export function deriveKeys(masterKeys: readonly string[], purpose: KeyPurpose): DerivedKey[] {
  return masterKeys.map((master) => {
    const secret = Buffer.from(hkdfSync('sha256', master, '', `waypost/${purpose}/v1`, 32));
    return { id: createHash('sha256').update(secret).digest().subarray(0, 4), secret };
  });
}
