import { Module } from '@nestjs/common'
import { UpstreamClients } from './upstream-clients.service.js'

/** The ways to the upstreams, for those who follow the chain and those who ask. */
@Module({ providers: [UpstreamClients], exports: [UpstreamClients] })
export class UpstreamClientsModule {}
