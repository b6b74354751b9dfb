import { join } from 'node:path'
import { startStubNode } from '../src/eth-gateway.ts'
import { type Measured, median } from '../src/load.ts'
import { startNginx } from '../src/nginx.ts'
import { startNodesGateway } from '../src/nodes-gateway.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { type BenchProcess, startScript } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'
import { measureCalls, type RpcLoad } from '../src/rpc-load.ts'

// The same calls to the same node through a bare hop of Node, nginx, and the gateway, which checks and counts caller and call.
// CPU per call stays comparable on a busy machine; the arms take turns.

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 32
const MAX_RATIO = 1.8
const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x1212121212121212121212121212121212121212","pending"]}'

interface Arm {
  readonly name: string
  readonly load: RpcLoad
  readonly runs: Measured[]
}

const platform = await startBenchPlatform(['accounts'])
const node = await startStubNode()
const bare = await startScript('./bare-hop.ts', node.url)
const nginx = await startNginx(node.url, join(platform.dataDir, 'nginx')).catch((error: Error) => error)
const gateway = await startNodesGateway(platform)
const basic = await gateway.node(node, 'basic')
const jwt = await gateway.node(node, 'jwt')

const arms: Arm[] = [
  await armOf('bare Node hop', bare),
  ...(nginx instanceof Error ? [] : [await armOf('nginx', nginx)]),
  await armOf('gateway, Basic', gateway, basic),
  await armOf('gateway, token', gateway, jwt),
]
for (const { load } of arms) await measureCalls({ ...load, seconds: 1 })
for (let round = 0; round < ROUNDS; round++) for (const { load, runs } of arms) runs.push(await measureCalls(load))

if (!(nginx instanceof Error)) await nginx.stop()
for (const each of [gateway, bare, node, platform]) await each.stop()

const ratios = { basic: ratioOf('gateway, Basic'), token: ratioOf('gateway, token') }
report({
  name: 'nodes gateway',
  target: `a small answer takes at most ${MAX_RATIO} times the CPU of a bare Node hop, with Basic (${ratios.basic}) and with a token (${ratios.token})`,
  met: ratios.basic <= MAX_RATIO && ratios.token <= MAX_RATIO && arms.every(({ runs }) => runs.every(({ failures }) => failures === 0)),
  rows: [
    ...arms.map(({ name, runs }) => {
      const run = median(runs)
      return {
        arm: name,
        'CPU us/call': rounded(run.cpuMicrosPerRequest),
        ratio: ratioOf(name),
        'calls/s': Math.round(run.perSecond),
        'p50 ms': rounded(run.p50, 2),
        'p99 ms': rounded(run.p99, 2),
        failures: runs.reduce((sum, { failures }) => sum + failures, 0),
      }
    }),
    ...(nginx instanceof Error ? [{ arm: `nginx: ${nginx.message}` }] : []),
  ],
})

/** Fails before anything is measured. */
async function armOf(name: string, { url, pid }: BenchProcess, { path = '/', authorization = '' } = {}): Promise<Arm> {
  const headers = { ...(authorization && { authorization }) }
  const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: CALL })
  const text = await answer.text()
  if (!answer.ok || !text.includes('"result":')) throw new Error(`${name} answers ${answer.status} ${text.slice(0, 200)}`)
  const load = {
    origin: url,
    path,
    headers,
    body: () => CALL,
    bytes: Buffer.byteLength(text),
    connections: CONNECTIONS,
    seconds: SECONDS,
    pid,
  }
  return { name, load, runs: [] }
}

function ratioOf(name: string): number {
  const cpu = (arm: string) => median(arms.find((each) => each.name === arm)?.runs ?? []).cpuMicrosPerRequest
  return rounded(cpu(name) / cpu('bare Node hop'), 2)
}
