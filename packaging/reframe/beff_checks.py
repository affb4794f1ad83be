'''b_eff, b_pairs and b_eff_io pass where they are valid and verified.

In the form of ReFrame's ``hpctestlib``, for ReFrame 4.10 or newer.
'''

import json
import os
import subprocess

import yaml

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ
from reframe.core.builtins import (parameter, run_after, run_before,
                                   sanity_function, variable)
from reframe.core.exceptions import PerformanceError, PipelineError


class beff_benchmark(rfm.RunOnlyRegressionTest):
    '''Base class of the effective-bandwidth benchmarks.

    The name of a test is that of its benchmark and program, which must be
    installed. The bandwidths (in MB/s) and times (in us) of the summary of
    the result are the performance variables, and rates in 1/s.
    '''

    #: The number of nodes.
    #:
    #: More than one is only for partitions with a scheduler.
    #:
    #: :type: :class:`int`
    #: :values: ``1, 2, 4, 8, 16``
    nodes = parameter([1, 2, 4, 8, 16])

    #: Processes on each node; 0 for one on each core of the partition's
    #: processor.
    #:
    #: :type: :class:`int`
    #: :default: ``0``
    tasks_per_node = variable(int, value=0)

    #: More options of the program.
    #:
    #: :type: :class:`List[str]`
    #: :default: ``[]``
    options = variable(typ.List[str], value=[])

    #: The command that verifies the result, where ReFrame itself runs.
    #:
    #: :type: :class:`str`
    #: :default: ``'beff'``
    companion = variable(str, value='beff')

    #: The ``acceptance.yaml`` of ``beff accept``, whose references must be
    #: met.
    #:
    #: :type: :class:`str`
    #: :default: ``''``
    expectations = variable(str, value='')

    valid_systems = ['*']
    valid_prog_environs = ['*']
    exclusive_access = True

    @run_after('init')
    def leave_out_local_partitions(self):
        # What is skipped later than here would stand in ReFrame's report
        # like what passed.
        if self.nodes > 1 and self.valid_systems == ['*']:
            self.valid_systems = [p.fullname
                                  for p in self.current_system.partitions
                                  if not p.scheduler.is_local]

    @run_after('setup')
    def set_num_tasks(self):
        partition = self.current_partition
        self.num_tasks_per_node = (self.tasks_per_node or
                                   partition.processor.num_cores)
        if not self.num_tasks_per_node:
            raise PipelineError(f'cores of {partition.fullname} not known: '
                                f'-S tasks_per_node=N')

        self.num_tasks = self.nodes * self.num_tasks_per_node

    @run_after('setup')
    def set_command(self):
        name = type(self).__name__
        self.executable = name
        self.executable_opts = ['--output', name, *self.own_options(),
                                *self.options]
        self.keep_files = [f'{name}.{end}'
                           for end in ('json', 'txt', 'journal.jsonl')]

    def own_options(self):
        '''Options of the program that the test itself sets.'''
        return []

    @property
    def result_file(self):
        return os.path.join(self.stagedir, f'{type(self).__name__}.json')

    def load_result(self):
        with open(self.result_file, encoding='utf-8') as fp:
            return json.load(fp)

    def said_by_companion(self, command, good_codes=(0,)):
        '''What it says of the result is wrong; empty where it is good.'''
        try:
            done = subprocess.run(
                [self.companion, command, self.result_file],
                capture_output=True, text=True, check=False
            )
        except OSError as err:
            return f'{self.companion}: {err.strerror}'

        if done.returncode in good_codes:
            return ''

        return f'{done.stdout}{done.stderr}'.strip()

    def disagreements(self):
        '''What speaks against a valid result; each a line.'''
        said = self.said_by_companion('verify')
        return [f'not verified: {said}'] if said else []

    @sanity_function
    def assert_valid_and_verified(self):
        if not os.path.exists(self.result_file):
            file = os.path.basename(self.result_file)
            return sn.assert_true(False, f'{file} was not written')

        result = self.load_result()
        errors = [f'not valid: {rule["code"]}: {rule["found"]}, '
                  f'required {rule["required"]}'
                  for rule in result['criteria'] if not rule['met']]
        environment = result['environment']
        processes, nodes = environment['processes'], environment['nodes']
        if (processes, nodes) != (self.num_tasks, self.nodes):
            errors.append(f'measured with {processes} processes on {nodes} '
                          f'nodes, not {self.num_tasks} on {self.nodes}')

        errors += self.disagreements()
        return sn.assert_true(result['valid'] and not errors,
                              '\n'.join(errors) or 'not valid')

    @run_before('performance')
    def set_perf_variables(self):
        result = self.load_result()
        units = {'_MBps': 'MB/s', '_us': 'us', '_per_s': '1/s'}
        for name, value in result['summary'].items():
            for end, unit in units.items():
                if name.endswith(end) and value is not None:
                    self.perf_variables[name] = (
                        sn.make_performance_function(sn.defer(value), unit)
                    )

        if self.expectations:
            self.reference = {'*': self.references_for(result)}

    def references_for(self, result):
        '''The references for this result; its figures must have some.'''
        with open(self.expectations, encoding='utf-8') as fp:
            expectations = yaml.safe_load(fp)['expectations']

        environment = result['environment']
        conditions = {'benchmark': result['benchmark'],
                      'definition': result['definition'],
                      'processes': environment['processes'],
                      'nodes': environment['nodes'],
                      'procedure': result.get('procedure'),
                      'time_s': result.get('schedule', {}).get('time_s')}
        # systems change a little in the memory that they report
        lmax_bytes = result['summary'].get('lmax_bytes') or 0
        references = {}
        for one in expectations:
            if (all(one.get(name) in {None, value}
                    for name, value in conditions.items()) and
                abs(one.get('lmax_bytes', lmax_bytes) - lmax_bytes) <=
                    0.07 * lmax_bytes):
                references.update((name, tuple(reference)) for name, reference
                                  in one['reference'].items())

        unknown = sorted(set(references) - set(self.perf_variables))
        if unknown or not references:
            what = (', '.join(unknown) or
                    'anything for its conditions, processes and nodes')
            raise PerformanceError(f'{self.expectations} and the result '
                                   f'do not both have {what}')

        return references


@rfm.simple_test
class b_eff(beff_benchmark):
    '''Effective communication bandwidth'''

    descr = 'effective communication bandwidth'
    time_limit = '45m'

    def own_options(self):
        # it refuses to measure on other nodes than those asked for
        return ['--nodes', str(self.nodes)]


@rfm.simple_test
class b_pairs(beff_benchmark):
    '''Hosts and links pair by pair, bisection, processes per host'''

    descr = 'hosts and links pair by pair'
    time_limit = '45m'

    #: From four nodes on hosts can be judged.
    nodes = parameter([4, 8, 16], inherit_params=False)

    def own_options(self):
        return ['--nodes', str(self.nodes), '--bisection',
                '--per-host', '1,all']

    def disagreements(self):
        # a slow host or link fails; what is open, code 3, does not
        said = self.said_by_companion('check', good_codes=(0, 3))
        return (beff_benchmark.disagreements(self) +
                ([f'bad: {said}'] if said else []))


@rfm.simple_test
class b_eff_io(beff_benchmark):
    '''Effective bandwidth of parallel file I/O'''

    descr = 'effective bandwidth of parallel file I/O'

    #: The folder on the file system to be measured, seen by all nodes.
    #:
    #: Without it the test does not exist.
    #:
    #: :type: :class:`str`
    #: :default: ``''``
    path = variable(str, value='')

    time_limit = '1h'

    @run_after('init')
    def skip_without_path(self):
        self.skip_if(not self.path,
                     'no file system is named: -S b_eff_io.path=DIR')

    def own_options(self):
        return ['--path', self.path]
