import { it } from 'vitest';
import { startRig } from './rig.js';

it('x', async () => {
  const rig = await startRig({ env: { WAYPOST_LOG_LEVEL: 'warn' } });
  await rig.system.engines.mongod!.kill('SIGKILL');
  console.log(
    JSON.stringify(
      await rig.graphql('mutation { createLink(input: { targetUrl: "https://example.com/" }) { link { id } } }'),
    ),
  );
  await rig.system.engines.mongod!.restart();
  for (let i = 0; i < 5; i++) {
    const t = Date.now();
    console.log(
      JSON.stringify(
        await rig.graphql('mutation { createLink(input: { targetUrl: "https://example.com/" }) { link { id } } }'),
      ),
      Date.now() - t,
    );
  }
  await rig.stop();
}, 60000);
