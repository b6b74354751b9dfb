import cluster from 'node:cluster'
import { startPrimary } from './cluster/primary.service.js'
import { obeyPrimary } from './cluster/worker.service.js'
import { workerCount } from './cluster/worker-count.js'
import { readEnv } from './env.js'
import { startEthRpc } from './service.js'

const env = readEnv()
if (cluster.isWorker) obeyPrimary(await startEthRpc(env))
else if (workerCount(env) > 1) await startPrimary(env)
else await startEthRpc(env)
