import { Inject, Injectable } from '@nestjs/common'
import { InvalidEthereumData } from '@trestle/ethereum/malformed'
import { Problem } from '@trestle/problem/problem'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import type { StakingEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { BeaconClient } from './beacon.client.js'
import type { BeaconNodeClient } from './beacon-node.client.js'
import { StakingChain } from './chain.js'
import type { ChainSettings } from './chain-settings.js'
import { ExecutionClient } from './execution.client.js'
import { WrongNetwork } from './upstream-errors.js'
import { chainProblem } from './upstream-problem.js'

/** The configured chains, by name. */
@Injectable()
export class ChainsService {
  private readonly served: ReadonlyMap<string, ServedChain>

  constructor(@Inject(ENV) { CHAINS }: Pick<StakingEnv, 'CHAINS'>, lifecycle: Lifecycle) {
    this.served = new Map(CHAINS.map((settings) => [settings.name, new ServedChain(settings)]))
    lifecycle.onClose(() => this.close())
  }

  names(): readonly string[] {
    return [...this.served.keys()]
  }

  settings(name: string): ChainSettings {
    return this.of(name).settings
  }

  /** Asks the nodes about their network until one has answered; the answer is kept. */
  async get(name: string): Promise<StakingChain> {
    const served = this.of(name)
    try {
      return await served.chain()
    } catch (error) {
      throw chainProblem(error) ?? error
    }
  }

  beacon(name: string): BeaconClient {
    return this.of(name).beacon
  }

  execution(name: string): ExecutionClient {
    return this.of(name).execution
  }

  private of(name: string): ServedChain {
    const served = this.served.get(name)
    if (!served) throw unknownChain(this.names())
    return served
  }

  private async close(): Promise<void> {
    await Promise.all(Array.from(this.served.values(), ({ beacon, execution }) => [beacon.close(), execution.close()]).flat())
  }
}

function unknownChain(names: readonly string[]): Problem {
  return new Problem('unknown', 'UnknownChain', `This chain is not served here; the chains are: ${names.join(', ') || 'none'}.`)
}

class ServedChain {
  readonly beacon: BeaconClient
  readonly execution: ExecutionClient
  private known?: StakingChain

  constructor(readonly settings: ChainSettings) {
    this.beacon = new BeaconClient(settings, (node) => this.check(node))
    this.execution = new ExecutionClient(settings.executions, async () => (await this.chain()).network)
  }

  async chain(): Promise<StakingChain> {
    if (!this.known) await this.beacon.finality()
    if (!this.known) throw new WrongNetwork('No beacon node has reported its network.')
    return this.known
  }

  /** Every node is compared with the known facts of the network, and with the first node: little is known about `dev`. */
  private async check(node: BeaconNodeClient): Promise<void> {
    const chain = this.chainOf(node, await node.facts())
    this.known ??= chain
    if (!sameChain(chain, this.known))
      throw new WrongNetwork(`${node.name} follows another ${this.settings.name} chain than the other nodes.`)
  }

  private chainOf(node: BeaconNodeClient, facts: Awaited<ReturnType<BeaconNodeClient['facts']>>): StakingChain {
    try {
      return new StakingChain(this.settings, facts)
    } catch (error) {
      if (error instanceof InvalidEthereumData) throw new WrongNetwork(`${node.name}: ${error.message}`)
      throw error
    }
  }
}

function sameChain(one: StakingChain, other: StakingChain): boolean {
  const facts = ({ network, genesisTime }: StakingChain) => [
    network.genesisValidatorsRoot.toString('hex'),
    network.genesisForkVersion.toString('hex'),
    network.capellaForkVersion.toString('hex'),
    network.depositContract.toString('hex'),
    network.chainId,
    genesisTime,
  ]
  return facts(one).join() === facts(other).join()
}
