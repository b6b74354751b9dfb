import { Controller, Header, Req, StreamableFile } from '@nestjs/common'
import { OpenStreams } from '@trestle/auth/open-streams'
import type { Input } from '@trestle/contracts/endpoint'
import { staking } from '@trestle/contracts/staking/api'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { BillingService } from './billing.service.js'
import { ValidatorsReportService } from './validators-report.service.js'

const { reports } = staking

@Controller()
export class ReportsController {
  constructor(
    private readonly validatorsReport: ValidatorsReportService,
    private readonly billingReports: BillingService,
    private readonly streams: OpenStreams,
  ) {}

  @Serves(reports.validators)
  async validators(@CurrentCaller() { organizationId }: CurrentCaller, @Req() request: FastifyRequest): Promise<StreamableFile> {
    const { access } = reports.validators
    const stream = this.streams.guard(await this.validatorsReport.open(organizationId), { request, access })
    return new StreamableFile(stream, { type: 'text/csv; charset=utf-8' })
  }

  @Serves(reports.billing)
  @Header('vary', 'accept')
  async billing(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { query }: Input<typeof reports.billing>,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const { type, stream, recheck } = await this.billingReports.open(caller, query, request.headers.accept)
    this.streams.guard(stream, { request, access: reports.billing.access, recheck })
    return new StreamableFile(stream, { type: `${type}; charset=utf-8` })
  }
}
