import { DEPLOYMENTS } from '@trestle/contracts/areas'
import type { ChainDescription } from '@trestle/contracts/chains/discovery'
import { discoveredChains } from '../chains/chain-choice.js'
import { type CommandRun, command } from '../command/command.js'
import { EXIT } from '../failure/failure.js'
import { stateCell } from '../output/view.js'
import { type AreaHealth, areaStateOf } from './health.js'

const TIMEOUT_MS = 5000

type Area = Pick<ChainDescription, 'name' | 'basePath'>

const status = command({
  name: 'status',
  about: 'Check every area of the platform. Exit code 1 if one is down.',
  details: ['Needs no login.'],
  examples: [
    ['trestle status', 'with versions and latencies'],
    ['trestle status -o json || echo "something is down"', 'in a script'],
  ],
  async run(run) {
    const areas = await Promise.all((await areasOf(run)).map((area) => healthOf(run, area)))
    if (areas.some(({ state }) => state === 'down')) run.outcome.exit = EXIT.unexpected
    if (areas.every(({ reason }) => reason === UNREACHABLE)) run.outcome.exit = EXIT.unreachable
    return { platform: run.session.url, areas }
  },
  view: ({ areas }) => ({
    head: ['AREA', 'STATE', 'VERSION', 'LATENCY', ''],
    rows: areas.map(({ name, state, version, latencyMs, reason }) => [name, stateCell(state), version, `${latencyMs} ms`, reason]),
  }),
})

/** The usual areas, whether they are here or not, and the chains that are served besides. */
async function areasOf(run: CommandRun): Promise<readonly Area[]> {
  const usual = DEPLOYMENTS.filter(({ app }) => app !== 'console')
  const others = ((await discoveredChains(run)) ?? []).filter(({ name }) => !usual.some((area) => area.name === name))
  return [...usual, ...others]
}

const UNREACHABLE = 'unreachable'

async function healthOf({ session, fetch, signal }: CommandRun, { name, basePath }: Area): Promise<AreaHealth> {
  const started = performance.now()
  const latency = () => Math.round(performance.now() - started)
  try {
    // With a slash: without one the nodes area has a list there, for administrators.
    const response = await fetch(`${session.url}${basePath}/`, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
    const answer: unknown = await response.json().catch(() => undefined)
    return { name, ...areaStateOf(response.status, answer), latencyMs: latency() }
  } catch (error) {
    const isSilent = (error as Error).name === 'TimeoutError'
    return { name, state: 'down', latencyMs: latency(), reason: isSilent ? `no response in ${TIMEOUT_MS / 1000} s` : UNREACHABLE }
  }
}

export const statusCommands = [status]
