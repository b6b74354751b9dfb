import { BillingEntry, reports } from '@trestle/contracts/staking/reports'
import { replyOf, validated } from '@trestle/sdk/answer'
import { z } from 'zod'
import { consoleFetch } from '../platform/client.js'
import type { BillingDays } from './billing-days-form.js'

const Entries = z.array(BillingEntry)

export async function readBilling(range: BillingDays): Promise<readonly BillingEntry[]> {
  return validated(Entries, await read(range, 'application/json'), SOURCE) as BillingEntry[]
}

export function readBillingCsv(range: BillingDays): Promise<string> {
  return read(range, 'text/csv')
}

const SOURCE = 'The billing report'

/** The SDK reads JSON only. */
async function read(range: BillingDays, accept: string): Promise<string> {
  const response = await consoleFetch(`/api${reports.billing.path}?${new URLSearchParams({ ...range })}`, { headers: { accept } })
  const text = await response.text()
  if (!response.ok) replyOf(reports.billing, { status: response.status, headers: response.headers, text })
  return text
}
