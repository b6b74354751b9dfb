import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Approval } from '@trestle/contracts/accounts/approvals'
import type { Member, Organization } from '@trestle/contracts/accounts/organizations'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { ORGANIZATIONS } from '../platform/use-organizations.js'
import { approvalTexts as texts } from '../texts/approvals.js'
import { PolicyPanel } from './policy-panel.js'
import { may } from './roles.js'

const COLORS = { pending: 'yellow', approved: 'green', refused: 'red', used: 'gray', expired: 'gray' } as const

/** What the organization demands of its members, and what a second person approves. */
export function ApprovalsTab({ own }: { own: Organization }) {
  const approvals = useQuery({
    queryKey: [...ORGANIZATIONS, own.id, 'approvals'],
    queryFn: () => platformClient.accounts.approvals.list({ params: { id: own.id }, query: { limit: '100' } }),
    refetchInterval: 15_000,
  })
  const members = useQuery({
    queryKey: [...ORGANIZATIONS, own.id, 'members'],
    queryFn: () => platformClient.accounts.organizations.members({ params: { id: own.id } }),
  })
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  return (
    <Stack>
      <PolicyPanel own={own} />
      <SectionTitle>{texts.title}</SectionTitle>
      <Loaded query={approvals}>
        {(rows) => (
          <DataTable
            label={texts.title}
            rows={rows}
            columns={columns(own, members.data ?? [], me.data?.id)}
            keyOf={({ id }) => id}
            minWidth={860}
            empty={<EmptyState title={texts.empty} text={texts.emptyText} />}
          />
        )}
      </Loaded>
    </Stack>
  )
}

function columns(own: Organization, members: readonly Member[], me: string | undefined): Column<Approval>[] {
  const nameOf = (id: string) => members.find(({ userId }) => userId === id)?.displayName ?? texts.somebody
  return [
    { name: 'what', header: texts.what, cell: (approval) => <What approval={approval} />, width: '3fr' },
    { name: 'who', header: texts.who, cell: ({ requestedBy }) => nameOf(requestedBy) },
    {
      name: 'state',
      header: texts.state,
      width: '130px',
      cell: ({ state }) => (
        <Badge variant="light" color={COLORS[state]} tt="none">
          {texts.states[state]}
        </Badge>
      ),
    },
    { name: 'until', header: texts.until, cell: ({ expiresAt }) => <Time value={expiresAt} /> },
    {
      name: 'actions',
      header: texts.actions,
      align: 'right',
      width: '220px',
      cell: (approval) =>
        approval.state === 'pending' && (
          <Decision own={own} approval={approval} isMine={approval.requestedBy === me} isKnown={me !== undefined} />
        ),
    },
  ]
}

/** In words, and exactly what will be sent. */
function What({ approval: { summary, method, path, body } }: { approval: Approval }) {
  return (
    <Stack gap={2}>
      <Text fw={600} inherit>
        {summary}
      </Text>
      <Code style={{ overflowWrap: 'anywhere' }}>
        {method} {path} {body && JSON.stringify(body)}
      </Code>
    </Stack>
  )
}

interface DecisionProps {
  own: Organization
  approval: Approval
  isMine: boolean
  isKnown: boolean
}

function Decision({ own, approval, isMine, isKnown }: DecisionProps) {
  const client = useQueryClient()
  async function decide(decision: 'approved' | 'refused') {
    await platformClient.accounts.approvals.decide({ params: { id: own.id, approvalId: approval.id }, body: { decision } })
    await client.invalidateQueries({ queryKey: [...ORGANIZATIONS, own.id, 'approvals'] })
  }
  const refusing = useMutation({ mutationFn: () => decide('refused') })
  if (!isKnown || !(isMine || may(own, approval.permission))) return null
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs" wrap="nowrap">
        {!isMine && (
          <ConfirmButton
            action={texts.approve}
            title={texts.approveTitle(approval.summary)}
            size="xs"
            color="blue"
            onConfirm={() => decide('approved')}
          >
            <What approval={approval} />
            <Text>{texts.approveText}</Text>
          </ConfirmButton>
        )}
        <Button size="xs" variant="default" loading={refusing.isPending} onClick={() => refusing.mutate()}>
          {isMine ? texts.withdraw : texts.refuse}
        </Button>
      </Group>
      {refusing.error && <ProblemNotice error={refusing.error} />}
    </Stack>
  )
}
