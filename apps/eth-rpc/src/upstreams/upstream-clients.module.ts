import { Module } from '@nestjs/common'
import { UpstreamClientsService } from './upstream-clients.service.js'

/** The clients of the upstreams, for following the chain and for calls. */
@Module({ providers: [UpstreamClientsService], exports: [UpstreamClientsService] })
export class UpstreamClientsModule {}
