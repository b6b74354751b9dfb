import { Inject, Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import type { BtcConnectEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { type Capabilities, capabilitiesOf } from './capabilities.js'
import { NodeClient } from './node.client.js'
import { chainInfo, networkInfo, zmqNotifications } from './node-calls.js'
import { NodeRefusal } from './node-errors.js'

/** Probes the capabilities of the node once, and again after it was unreachable: it may have been upgraded. */
@Injectable()
export class NodeCapabilitiesService {
  private probed?: Promise<Capabilities>

  constructor(
    private readonly node: NodeClient,
    private readonly logger: Logger,
    @Inject(ENV) private readonly env: Pick<BtcConnectEnv, 'NODE_URL'>,
  ) {}

  get(): Promise<Capabilities> {
    this.probed ??= this.probe().catch((error) => {
      this.reset()
      throw error
    })
    return this.probed
  }

  reset(): void {
    this.probed = undefined
  }

  private async probe(): Promise<Capabilities> {
    const [[chain, network, notifications], rest] = await Promise.all([
      this.node.callAll([chainInfo, networkInfo, zmqNotifications]),
      this.node.rest('/chaininfo.json').then(() => true, unlessRefused),
    ])
    if (chain instanceof NodeRefusal) throw chain
    if (network instanceof NodeRefusal) throw network
    const capabilities = capabilitiesOf({ chain, network, rest, notifications }, this.env.NODE_URL)
    this.logger.info(capabilities, 'node capabilities')
    return capabilities
  }
}

function unlessRefused(error: unknown): false {
  if (error instanceof NodeRefusal) return false
  throw error
}
