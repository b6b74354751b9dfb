import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { startPrimary } from './cluster/primary.engine.js'
import { servePrimary } from './cluster/worker.engine.js'
import { readEnv } from './env.js'
import { startEthRpc } from './service.js'

// V8 collects all garbage after every 64 MB of buffers, however large the heap: with answers of some size that is several times a second.
// Held against the heap's own limit they are no reason to look through everything else so often.
setFlagsFromString('--external-memory-accounted-in-global-limit')

const env = readEnv()
if (cluster.isWorker) servePrimary(await startEthRpc(env))
else if (env.WORKERS > 1) await startPrimary(env)
else await startEthRpc(env)
