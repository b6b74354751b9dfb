import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { messageOf } from '@trestle/problem/thrown'
import type { EthRpcEnv } from '../env.js'
import { HeadTracker } from '../heads/head-tracker.engine.js'
import { ENV } from '../settings.module.js'
import { UpstreamClientsService } from './upstream-clients.service.js'
import { changesBetween } from './upstream-config.js'
import { UpstreamsFileReportService } from './upstreams-file-report.service.js'

const CHECK_MS = 2_000

/** Puts the upstreams of the file into effect whenever it has changed, or SIGHUP comes. A file that is wrong changes nothing. */
@Injectable()
export class UpstreamsReloadJob implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout
  private isRunning = false
  private isDue = false

  constructor(
    @Inject(ENV) private readonly env: Pick<EthRpcEnv, 'UPSTREAMS_SOURCE'>,
    private readonly clients: UpstreamClientsService,
    private readonly tracker: HeadTracker,
    private readonly report: UpstreamsFileReportService,
  ) {
    clients.onChange((all) => tracker.use(all))
  }

  onApplicationBootstrap(): void {
    if (!this.env.UPSTREAMS_SOURCE) return
    this.timer = setInterval(() => this.env.UPSTREAMS_SOURCE?.hasChanged && this.reload(), CHECK_MS).unref()
    process.on('SIGHUP', this.reload)
  }

  onModuleDestroy(): void {
    clearInterval(this.timer)
    process.off('SIGHUP', this.reload)
  }

  private readonly reload = (): void => {
    this.isDue = true
    if (!this.isRunning) void this.run()
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (this.isDue) {
      this.isDue = false
      await this.apply().catch((error: unknown) => this.report.refused(messageOf(error)))
    }
    this.isRunning = false
  }

  private async apply(): Promise<void> {
    const { UPSTREAMS_SOURCE: source } = this.env
    if (!source) return
    const configured = this.clients.prepare(source.read())
    const before = this.clients.all.map(({ config }) => config)
    // Whoever is new has shown its head before it takes the place of another.
    await this.tracker.prepare(configured.map(({ client }) => client))
    this.clients.use(configured)
    const after = configured.map(({ config }) => config)
    this.report.applied(changesBetween(before, after))
  }
}
