/** Imported first by every process that the benchmark starts: one whose parent was killed must not go on for ever. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
