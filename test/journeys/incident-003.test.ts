import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LinkPayload, type Rig, startRig } from './rig.js';

/**
 * Source 003: a commit waited past every time-out, the caller tried again eight times, and two payments were booked. The
 * whole system, with its own time budgets shortened to keep the test short; their order is the same.
 */
let rig: Rig;
let mongo: MongoClient;

beforeAll(async () => {
  rig = await startRig({
    testCommands: true,
    env: {
      WAYPOST_MONGODB_TIMEOUT_MS: '2000',
      WAYPOST_MONGODB_COMMIT_WAIT_MS: '1500',
      WAYPOST_RPC_WRITE_TIMEOUT_MS: '2500',
    },
  });
  mongo = new MongoClient(rig.system.engines.mongodbUrl);
});
afterAll(async () => {
  await mongo?.close();
  await rig?.stop();
});

const STALL_MS = 5_000;

describe('a create whose commit stalls past every time-out', () => {
  it('makes one link, however often it is tried again, and every later call gets it', async () => {
    await mongo.db('admin').command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: { failCommands: ['commitTransaction'], blockConnection: true, blockTimeMS: STALL_MS },
    });
    const input = { targetUrl: 'https://example.com/paid-once', idempotencyKey: 'incident-003' };
    const attempts: (LinkPayload | Error)[] = [];
    for (let i = 0; i < 9; i++) attempts.push(await rig.createLink(input).catch((error: Error) => error));
    const answers = attempts.filter((each) => !(each instanceof Error)) as LinkPayload[];
    // Those that gave up say so; they don't claim an outcome.
    for (const failed of attempts.filter((each) => each instanceof Error)) {
      expect(failed.message).toMatch(/UNAVAILABLE|DEADLINE_EXCEEDED/);
    }
    expect(answers.length).toBeGreaterThan(0);
    const later = await Promise.all(Array.from({ length: 20 }, () => rig.createLink(input)));
    const ids = [...answers, ...later].map(({ link }) => link?.id);
    expect(new Set(ids).size).toBe(1);
    expect(later.every(({ replayed }) => replayed)).toBe(true);
    const stored = mongo.db('waypost').collection('links').countDocuments({ targetUrl: input.targetUrl });
    expect(await stored).toBe(1);
  });
});
