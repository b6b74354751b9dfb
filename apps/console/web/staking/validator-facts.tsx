import { Card, Stack, Table, Title } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import type { ReactNode } from 'react'
import { Hash } from '../parts/copy-button.js'
import { Time } from '../parts/time.js'
import { stakingTexts } from '../texts/staking.js'
import { formatEth } from './money.js'

const texts = stakingTexts.validator

/** What there is to know of it. */
export function ValidatorFacts({ validator }: { validator: Validator }) {
  const rows: [string, ReactNode][] = [
    [texts.balance, formatEth(validator.balance)],
    [texts.effective, formatEth(validator.effectiveBalance)],
    [texts.index, validator.index ?? texts.noIndex],
    [texts.withdrawal, <Hash key="withdrawal" value={validator.withdrawalAddress} />],
    [texts.fee, <Hash key="fee" value={validator.feeAddress} />],
    [texts.kind, texts.kinds[validator.compounding ? 'compounding' : 'execution']],
    [texts.asOf, validator.asOf === null ? texts.never : <Time key="time" value={validator.asOf} />],
  ]
  return (
    <Card withBorder p="lg" component="section" aria-label={texts.facts}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {texts.facts}
        </Title>
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            {rows.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th w={150} scope="row">
                  {name}
                </Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Card>
  )
}
