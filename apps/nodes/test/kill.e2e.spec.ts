import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RunningService } from '@trestle/runtime/boot-service'
import { eventually } from '@trestle/testing/eventually'
import { type NodesUnderTest, type NodesUser, nodeAuthorization, PATIENCE_MS, pidsOf, startNodesUnderTest } from './nodes-under-test.js'

// kill -9 of the controller at random moments, and of the machines' programs, while nodes are made, stopped, started and removed.
// Afterwards what was acknowledged is compared with the processes and folders of this host. ROUNDS=40 for the long run.

const ROUNDS = Number(process.env.ROUNDS ?? 6)
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const NODES = '/users/me/nodes'

interface Life {
  readonly id: string
  readonly image: string
  readonly credentials: string
  desiredState: 'started' | 'stopped' | 'removed'
}

let nodes: NodesUnderTest
let gateway: RunningService
let owner: NodesUser
beforeAll(async () => {
  nodes = await startNodesUnderTest({ ROLE: 'api', PLAN_NODES: '100' })
  gateway = await nodes.replica({ ROLE: 'gateway' })
  owner = nodes.user()
})
afterAll(async () => {
  const controller = await nodes.replica({ ROLE: 'controller' })
  await nodes.stop()
  await gateway.stop()
  await controller.stop()
})

it(
  'reaches the desired state, whichever process is killed',
  async () => {
    const lives: Life[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const controller = spawnController()
      const image = round % 2 ? 'eth' : 'ltc'
      const { body } = await owner('POST', NODES, { image })
      lives.push({ id: body.id, image, credentials: nodeAuthorization(body.nodeUser, body.nodePass), desiredState: 'started' })
      await Promise.all([change(lives, round), delay(300 + Math.random() * 1500)])
      controller.kill('SIGKILL')
      await once(controller, 'exit')
      // Every third time the machines die with it.
      if (round % 3 === 2) for (const { id } of lives) for (const pid of pidsOf(id)) process.kill(pid, 'SIGKILL')
    }
    const controller = spawnController()
    for (const life of lives) await verify(life)
    controller.kill('SIGTERM')
    await once(controller, 'exit')
    // Machines run without the controller that made them.
    for (const life of lives) await verify(life)
  },
  60_000 + ROUNDS * 15_000,
)

async function change(lives: readonly Life[], round: number): Promise<void> {
  const life = lives[round % 4 === 3 ? round - 2 : -1]
  const stopped = lives.find(({ desiredState }) => desiredState === 'stopped')
  if (stopped && round % 2) {
    expect(await owner('POST', `${NODES}/${stopped.id}/start`)).toMatchObject({ status: 200 })
    stopped.desiredState = 'started'
  }
  if (life) {
    expect(await owner('DELETE', `${NODES}/${life.id}`)).toMatchObject({ status: 200 })
    life.desiredState = 'removed'
  }
  const next = lives[round - 1]
  if (round % 3 === 1 && next?.desiredState === 'started') {
    expect(await owner('POST', `${NODES}/${next.id}/stop`)).toMatchObject({ status: 200 })
    next.desiredState = 'stopped'
  }
}

async function verify({ id, image, credentials, desiredState }: Life): Promise<void> {
  const question = { jsonrpc: '2.0', id: 1, method: image === 'eth' ? 'eth_blockNumber' : 'getblockcount', params: [] }
  const status = { started: 200, stopped: 503, removed: 404 }[desiredState]
  await eventually(
    async () => (await nodes.rpc(id, credentials, question, gateway)).status === status || undefined,
    `${id} answers ${status}`,
    PATIENCE_MS,
  )
  const count = desiredState === 'started' ? 1 : 0
  await eventually(() => pidsOf(id).length === count || undefined, `${id} has ${count} processes`, PATIENCE_MS)
  await eventually(
    () => existsSync(join(nodes.environment.DATA_DIR, id)) === (desiredState !== 'removed') || undefined,
    `the folder of ${id}`,
    PATIENCE_MS,
  )
}

function spawnController(): ChildProcess {
  return spawn(process.execPath, [MAIN], { env: { ...process.env, ...nodes.environment, ROLE: 'controller' }, stdio: 'inherit' })
}
