import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { UpstreamClient } from './upstream.client.js'

/** The way to each upstream. */
@Injectable()
export class UpstreamClients implements OnApplicationShutdown {
  readonly all: readonly UpstreamClient[]

  constructor(@Inject(ENV) { UPSTREAMS }: Pick<EthRpcEnv, 'UPSTREAMS'>) {
    this.all = UPSTREAMS.map((config) => new UpstreamClient(config))
  }

  onApplicationShutdown(): void {
    for (const client of this.all) client.close()
  }
}
