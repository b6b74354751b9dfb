import cluster from 'node:cluster'
import { type DynamicModule, Module } from '@nestjs/common'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { bootService } from '@trestle/runtime/boot-service'
import { Logger } from '@trestle/runtime/logger'
import { startPrimary } from '../../src/cluster/primary.engine.js'
import { servePrimary } from '../../src/cluster/worker.engine.js'
import type { EthRpcEnv } from '../../src/env.js'
import { HeadFeed } from '../../src/heads/head-feed.js'
import { HeadsModule } from '../../src/heads/heads.module.js'
import { SettingsModule } from '../../src/settings.module.js'

// Workers that answer what they know of the chain, and nothing else.
const env = JSON.parse(process.env.SETTINGS ?? '{}') as EthRpcEnv

if (cluster.isPrimary) await startPrimary(env)
else servePrimary(await bootService(rootOf(env), { name: 'eth', version: '0', env, endpoints: {}, isWorker: true, prepare }))

function rootOf(settings: EthRpcEnv): DynamicModule {
  @Module({})
  class Root {}
  return { module: Root, imports: [SettingsModule.forRoot(settings), HeadsModule.forRoot(settings)] }
}

async function prepare(app: NestFastifyApplication): Promise<void> {
  const feed = app.get(HeadFeed)
  const told: string[] = []
  feed.onChange(({ removed, added }) => {
    for (const { hash } of removed) told.push(`-${hash}`)
    for (const { hash } of added) told.push(`+${hash}`)
  })
  const logs: number[] = []
  const fastify = app.getHttpAdapter().getInstance()
  fastify.get('/chain', async () => {
    const { chain, upstreams } = feed
    const { head, finalized } = chain
    return { pid: process.pid, head: head?.hash, finalized, known: chain.blocks().length, upstreams: [...upstreams.values()], told, logs }
  })
  fastify.post('/logs', async () => {
    feed.onLogs((batch) => logs.push(batch.logs.length))
    return {}
  })
  fastify.post('/slowly', async () => {
    app.get(Logger).info('slowly')
    return new Promise((resolve) => setTimeout(() => resolve({}), 1000))
  })
}
