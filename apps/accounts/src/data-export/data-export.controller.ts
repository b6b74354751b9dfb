import { Readable } from 'node:stream'
import { Controller, Header, Req, StreamableFile } from '@nestjs/common'
import { OpenStreams } from '@trestle/auth/open-streams'
import { dataExport } from '@trestle/contracts/accounts/data-export'
import { CurrentCaller, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { DataExportService } from './data-export.service.js'

@Controller()
export class DataExportController {
  constructor(
    private readonly exports: DataExportService,
    private readonly streams: OpenStreams,
  ) {}

  @Serves(dataExport.create)
  @Header('cache-control', 'no-store')
  async create(@CurrentCaller() caller: CurrentCaller, @Req() request: FastifyRequest): Promise<StreamableFile> {
    const lines = Readable.from(await this.exports.open(caller.userId), { objectMode: false })
    const guarded = this.streams.guard(lines, { request, access: 'account' })
    return new StreamableFile(guarded, {
      type: 'application/x-ndjson; charset=utf-8',
      disposition: 'attachment; filename="trestle-account.jsonl"',
    })
  }
}
