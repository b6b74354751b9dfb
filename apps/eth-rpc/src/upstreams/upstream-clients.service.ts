import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { EthRpcEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { UpstreamClient } from './upstream.client.js'

/** A client for each upstream. */
@Injectable()
export class UpstreamClientsService implements OnApplicationShutdown {
  readonly all: readonly UpstreamClient[]

  constructor(@Inject(ENV) { UPSTREAMS, UPSTREAM_TRANSPORT }: Pick<EthRpcEnv, 'UPSTREAMS' | 'UPSTREAM_TRANSPORT'>) {
    this.all = UPSTREAMS.map((config) => new UpstreamClient(config, UPSTREAM_TRANSPORT))
  }

  onApplicationShutdown(): void {
    for (const client of this.all) client.close()
  }
}
