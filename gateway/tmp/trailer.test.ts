import { it } from 'vitest';
import { AppError } from '../../runtime/app-error.js';
import { startRig } from '../rig.js';
it('trailer', async () => {
  let n = 0, size = 0;
  const rig = await startRig({ link: { async createLink() { throw new AppError('INVALID_ARGUMENT', Array.from({length: n}, (_, i) => ({code: 'TOO_LONG', message: 'x'.repeat(size), path: ['tags', String(i)]}))); } } });
  for ([n, size] of [[1, 100], [50,100],[100,100],[1,5000],[1,8000],[1,12000],[1,16000],[1,20000],[1,50000],[1,200000],[3000,100],[500,3000], [1,100]] as const) {
    const a = await rig.send('mutation{createLink(input:{targetUrl:"x"}){problems{code}}}'); console.log(n, size, a.status, a.text.slice(0,200));
  }
  await rig.stop();
});
