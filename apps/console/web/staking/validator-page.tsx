import { Alert, Anchor, Box, Grid, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { Validator } from '@trestle/contracts/staking/validators'
import { Link, useLocation, useParams, useSearchParams } from 'react-router'
import { z } from 'zod'
import { Hash } from '../parts/copy-button.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { stakingTexts } from '../texts/staking.js'
import { DepositPanel } from './deposit-panel.js'
import { EndPanels } from './end-panels.js'
import { FeeRecipientPanel } from './fee-recipient-panel.js'
import { LifecycleTimeline } from './lifecycle-timeline.js'
import { RatesPanel } from './rates-panel.js'
import { StatusBadge } from './status-badge.js'
import { isUnknown, useValidator } from './use-staking.js'
import { ValidatorFacts } from './validator-facts.js'
import { ValidatorHistory } from './validator-history.js'

const texts = stakingTexts.validator
const Typed = z.object({ withdrawalAddress: z.string(), compounding: z.boolean() })

/** One validator: how far it is, what it earns, and what can be done with it. */
export function ValidatorPage() {
  const { pubkey = '' } = useParams()
  const [search] = useSearchParams()
  const query = useValidator(pubkey.replace(/^0x/, '').toLowerCase(), search.get('chain') ?? undefined)
  return (
    <PageLayout
      title={texts.title(pubkey.replace(/^0x/, ''))}
      description={query.data && <Headline validator={query.data} />}
      above={[{ to: '/app/staking', label: stakingTexts.title }]}
    >
      {query.data === undefined && isUnknown(query.error) ? (
        <EmptyState title={texts.title(pubkey)} text={texts.unknown} />
      ) : (
        <Loaded query={query} rows={8}>
          {(data) => <Life validator={data} />}
        </Loaded>
      )}
    </PageLayout>
  )
}

function Headline({ validator: { status, pubkey, chain, region } }: { validator: Validator }) {
  return (
    <Group gap="xs" mt={4}>
      <StatusBadge status={status} />
      <Text size="sm">{chain}</Text>
      <Text size="sm">{region}</Text>
      <Hash value={`0x${pubkey}`} label={stakingTexts.list.columns.pubkey} />
    </Group>
  )
}

function Life({ validator }: { validator: Validator }) {
  const typed = Typed.safeParse(useLocation().state).data
  return (
    <Stack gap="lg">
      <Note validator={validator} />
      {validator.depositData !== null && <DepositPanel validator={validator} depositData={validator.depositData} typed={typed} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <LifecycleTimeline validator={validator} />
            <ValidatorFacts validator={validator} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <ValidatorHistory validator={validator} />
            <RatesPanel validator={validator} />
          </Stack>
        </Grid.Col>
      </Grid>
      <FeeRecipientPanel validator={validator} />
      <EndPanels validator={validator} />
      <Text size="sm">
        <Anchor component={Link} to="/app/activity" inherit>
          {texts.calls}
        </Anchor>
      </Text>
    </Stack>
  )
}

/** The platform's note: what to do next. */
function Note({ validator: { note, slashed, phase } }: { validator: Validator }) {
  const isBad = slashed || phase === 'spoiled'
  const title = phase === 'spoiled' ? texts.compromised : slashed ? texts.slashed : texts.attention
  const icon = isBad ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />
  return (
    <Box aria-live="polite">
      {note !== null && (
        <Alert variant="light" color={isBad ? 'red' : 'cyan'} title={title} icon={icon}>
          {note}
        </Alert>
      )}
    </Box>
  )
}
