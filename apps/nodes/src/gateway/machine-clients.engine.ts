import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { Logger } from '@trestle/runtime/logger'
import { LRUCache } from 'lru-cache'
import type { DaemonName } from '../catalogue/blueprint.js'
import type { NodesEnv } from '../env.js'
import { NodeSealerService } from '../sealing/node-sealer.service.js'
import { ENV } from '../settings.module.js'
import { rpcPathOf } from '../software/evm.js'
import { CallBounds } from './call-bounds.js'
import { isForbidden, MachineClient } from './machine.client.js'

interface SealedMachine {
  readonly id: string
  readonly host: string
  readonly port: number
  /** In hexadecimal. */
  readonly sealedPassword: string
  readonly family: ChainFamily
  readonly daemon: DaemonName
  readonly network: string
}

interface Known {
  readonly key: string
  readonly client: MachineClient
}

const MAX_MACHINES = 20_000

/** A client for each machine, kept while its address and password stay the same. */
@Injectable()
export class MachineClients implements OnApplicationShutdown {
  // An unused client has no connections, and takes little memory.
  readonly #known = new LRUCache<string, Known>({ max: MAX_MACHINES, dispose: ({ client }) => client.close() })

  constructor(
    private readonly sealer: NodeSealerService,
    private readonly bounds: CallBounds,
    private readonly logger: Logger,
    @Inject(ENV) private readonly env: Pick<NodesEnv, 'UPSTREAM_TRANSPORT'>,
  ) {}

  /** Undefined where no machine may be. */
  of({ id, host, port, sealedPassword, family, daemon, network }: SealedMachine): MachineClient | undefined {
    if (isForbidden(host)) {
      this.logger.error({ machine: id }, 'a machine has a forbidden address')
      return undefined
    }
    const key = `${host} ${port} ${sealedPassword} ${daemon}`
    const known = this.#known.get(id)
    if (known?.key === key) return known.client
    const password = this.sealer.open(Buffer.from(sealedPassword, 'hex'), id)
    const path = rpcPathOf({ daemon, network }, password)
    const client = new MachineClient({ host, port, password, path, family, transport: this.env.UPSTREAM_TRANSPORT }, this.bounds)
    this.#known.set(id, { key, client })
    return client
  }

  onApplicationShutdown(): void {
    this.#known.clear()
  }
}
