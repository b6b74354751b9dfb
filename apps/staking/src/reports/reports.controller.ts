import { Controller, Header, Headers, StreamableFile } from '@nestjs/common'
import { Roles } from '@trestle/auth/roles.guard'
import type { Input } from '@trestle/contracts/endpoint'
import { staking } from '@trestle/contracts/staking/api'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { BillingService, type Report } from './billing.service.js'
import { ValidatorsReportService } from './validators-report.service.js'

const { reports } = staking

@Controller()
export class ReportsController {
  constructor(
    private readonly validatorsReport: ValidatorsReportService,
    private readonly billingReports: BillingService,
  ) {}

  @Serves(reports.validators)
  async validators(@CurrentCaller() { userId }: CurrentCaller): Promise<StreamableFile> {
    return new StreamableFile(await this.validatorsReport.open(userId), { type: 'text/csv; charset=utf-8' })
  }

  @Roles('auditor', 'billing')
  @Serves(reports.billing)
  @Header('vary', 'accept')
  async billing(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { query }: Input<typeof reports.billing>,
    @Headers('accept') accept: string | undefined,
  ): Promise<StreamableFile> {
    return toFile(await this.billingReports.open(userId, query, accept))
  }
}

function toFile({ type, stream }: Report): StreamableFile {
  return new StreamableFile(stream, { type: `${type}; charset=utf-8` })
}
