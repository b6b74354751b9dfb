import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { startPrimary } from './cluster/primary.engine.js'
import { servePrimary } from './cluster/worker.engine.js'
import { readEnv, readGroupEnv } from './env.js'
import { startGroup } from './group/chain-group.engine.js'
import { startEthRpc } from './service.js'

// V8 collects all garbage after every 64 MB of buffers, however large the heap: with answers of some size that is several times a second.
// Held against the heap's own limit they are no reason to look through everything else so often.
setFlagsFromString('--external-memory-accounted-in-global-limit')

const group = readGroupEnv()
if (group) await startGroup(group)
else await startChain()

async function startChain(): Promise<void> {
  const env = readEnv()
  if (cluster.isWorker) servePrimary(await startEthRpc(env))
  else if (env.WORKERS > 1) await startPrimary(env)
  else await startEthRpc(env)
}
