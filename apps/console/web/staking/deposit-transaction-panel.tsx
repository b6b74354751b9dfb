import { Alert, Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import { Hash } from '../parts/copy-button.js'
import { Snippets } from '../parts/snippets.js'
import { stakingTexts } from '../texts/staking.js'
import { BrowserWallet } from './browser-wallet.js'
import { formatEth } from './money.js'
import type { DepositNetwork } from './networks.js'
import { castCommand, depositTransaction, paymentLink } from './transaction.js'

const texts = stakingTexts.deposit

interface DepositTransactionPanelProps {
  validator: Validator
  /** That has passed all checks. */
  depositData: string
  network: DepositNetwork
}

/** What a wallet is to send, in the forms that wallets take; not before it would be of use. */
export function DepositTransactionPanel({ validator: { phase, pubkey }, depositData, network }: DepositTransactionPanelProps) {
  if (phase !== 'ready')
    return (
      <Alert color="yellow" variant="light" title={texts.wait} role="status">
        {texts.waitText}
      </Alert>
    )
  const transaction = depositTransaction(depositData, network)
  const snippets = {
    [texts.form.json]: JSON.stringify(transaction, null, 2),
    [texts.form.cast]: castCommand(depositData, network),
    [texts.form.link]: paymentLink(depositData, network),
  }
  return (
    <Stack component="section" aria-label={texts.transaction}>
      <Title order={3} size="h5">
        {texts.transaction}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <Fact label={texts.to}>
          <Hash value={transaction.to} />
        </Fact>
        <Fact label={texts.value}>{formatEth(BigInt(transaction.value))}</Fact>
        <Fact label={texts.chainId}>{network.chainId}</Fact>
      </SimpleGrid>
      <Alert color="yellow" variant="light">
        {texts.once}
      </Alert>
      <Snippets label={texts.forms} snippets={snippets} />
      <Group>
        <BrowserWallet pubkey={pubkey} transaction={transaction} />
        <Anchor href={snippets[texts.form.link]} size="sm">
          {texts.openLink}
        </Anchor>
      </Group>
    </Stack>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div">{children}</Text>
    </div>
  )
}
