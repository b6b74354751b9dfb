import { Anchor, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { Link } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { ChooseChain } from '../parts/choose-chain.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { EmptyState } from '../parts/empty-state.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { Time } from '../parts/time.js'
import { chains } from '../texts/chains.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { pathOf, useChain, useProjects } from './chain.js'

const texts = ethereumTexts.projects

/** The user's projects on a chain. */
export function ProjectsPage() {
  const { chain, at } = useChain()
  const query = useProjects()
  const create = (
    <Button component={Link} to={at('/new')} leftSection={<IconPlus size={16} aria-hidden />}>
      {texts.create}
    </Button>
  )
  return (
    <PageLayout
      title={ethereumTexts.title}
      description={texts.description(chains.names[chain] ?? chain)}
      actions={
        <>
          <Button component={Link} to={at('/playground')} variant="default">
            {texts.playground}
          </Button>
          {create}
        </>
      }
    >
      <Group>
        <ChooseChain area="eth-rpc" chain={chain} to={pathOf} />
      </Group>
      <Loaded query={query}>
        {(projects) => (
          <DataTable
            label={texts.label}
            rows={projects}
            columns={columns(at)}
            keyOf={({ id }) => id}
            empty={
              <EmptyState title={texts.none.title} text={texts.none.text}>
                {create}
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </PageLayout>
  )
}

function columns(at: (path: string) => string): readonly Column<Project>[] {
  return [
    {
      name: 'name',
      header: texts.name,
      width: '2fr',
      cell: ({ id, name }) => (
        <Anchor component={Link} to={at(`/projects/${id}`)}>
          {name}
        </Anchor>
      ),
    },
    { name: 'access', header: texts.access, width: '2fr', cell: (project) => accessOf(project).join(', ') },
    { name: 'limits', header: texts.limits, align: 'right', cell: ({ limits }) => texts.perSecond(formatCount(limits.perSecond)) },
    { name: 'created', header: texts.created, align: 'right', cell: ({ createdAt }) => <Time value={createdAt} /> },
  ]
}

/** What it takes to call, in short. */
function accessOf(project: Project): string[] {
  const { requireToken, allowedOrigins, allowedMethods, allowedContracts, allowedIps } = project
  const limited = [
    requireToken && texts.restrictions.token,
    allowedOrigins.length > 0 && texts.restrictions.origins,
    allowedIps.length > 0 && texts.restrictions.ips,
    allowedMethods.length > 0 && texts.restrictions.methods,
    allowedContracts.length > 0 && texts.restrictions.contracts,
  ].filter((each) => each !== false)
  return limited.length > 0 ? limited : [texts.restrictions.none]
}
