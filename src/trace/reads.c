/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/reads.h"

#include <string.h>

enum { COMPAT_SIGACTION_SIZE = 20, SIGACTION_SIZE = 32, LOCK_SIZE = 32, MAX_CPUS = 1024 / 8 };
enum { SIGEVENT_SIZE = 24, SIGINFO_SIZE = 48, MAX_TASK = 16, MAX_ATTR = 256, CAPS_SIZE = 24 };
enum {
	MAX_ENTRIES = 512,
	MAX_NAME = 128,
	MAX_STRUCTURE = 1024,
	MAX_INTS = 64,
	MAX_PATH = CALL_TEXT
};

struct read_row {
	char syscall[24], arg[20]; /* no pointers: the loader would write to them at every start */
	u8 shape; /* enum trace_shape */
	u8 when, count;
	u8 size; /* of an element, 0 = by its type */
	char type[28]; /* of a structure, "" = as the argument says */
};

#define BYTES_IN(s, a, nr)                                                                         \
	{                                                                                          \
		s, a, SHAPE_BYTES, MEMORY_IN, nr, 1, ""                                            \
	}
#define BYTES_OUT(s, a)                                                                            \
	{                                                                                          \
		s, a, SHAPE_BYTES, MEMORY_OUT, COUNT_RESULT, 1, ""                                 \
	}
#define PATH_OUT(s, a)                                                                             \
	{                                                                                          \
		s, a, SHAPE_PATH, MEMORY_OUT, COUNT_RESULT, 1, ""                                  \
	}
#define ADDRESS_IN(s, a, nr)                                                                       \
	{                                                                                          \
		s, a, SHAPE_ADDRESS, MEMORY_IN, nr, 1, ""                                          \
	}
#define ADDRESS_OUT(s, a, at)                                                                      \
	{                                                                                          \
		s, a, SHAPE_ADDRESS, MEMORY_OUT, COUNT_AT + (at), 1, ""                            \
	}
#define STRUCT_IN(s, a)                                                                            \
	{                                                                                          \
		s, a, SHAPE_STRUCT, MEMORY_IN, COUNT_ONE, 0, ""                                    \
	}
#define STRUCT_OUT(s, a)                                                                           \
	{                                                                                          \
		s, a, SHAPE_STRUCT, MEMORY_OUT, COUNT_ONE, 0, ""                                   \
	}
#define STRUCTS(s, a, when, nr)                                                                    \
	{                                                                                          \
		s, a, SHAPE_STRUCTS, when, nr, 0, ""                                               \
	}
#define NAMED_IN(s, a, type)                                                                       \
	{                                                                                          \
		s, a, SHAPE_STRUCT, MEMORY_IN, COUNT_ONE, 0, type                                  \
	}
#define NAMED_OUT(s, a, type)                                                                      \
	{                                                                                          \
		s, a, SHAPE_STRUCT, MEMORY_OUT, COUNT_ONE, 0, type                                 \
	}
#define SIZED_IN(s, a, nr)                                                                         \
	{                                                                                          \
		s, a, SHAPE_STRUCT, MEMORY_IN, nr, 1, ""                                           \
	}
#define INTS(s, a, when, nr, size)                                                                 \
	{                                                                                          \
		s, a, SHAPE_INTS, when, nr, size, ""                                               \
	}
#define SIGNALS(s, a, when)                                                                        \
	{                                                                                          \
		s, a, SHAPE_SIGNALS, when, COUNT_ONE, 8, ""                                        \
	}
#define SIGACTION(a, when)                                                                         \
	{                                                                                          \
		"rt_sigaction", a, SHAPE_SIGACTION, when, COUNT_ONE, SIGACTION_SIZE, "sigaction"   \
	}
#define LOCK(s)                                                                                    \
	{                                                                                          \
		s, "arg", SHAPE_LOCK, MEMORY_IN | MEMORY_OUT | MEMORY_OR_NUMBER, COUNT_ONE,        \
			LOCK_SIZE, "flock"                                                         \
	}
#define SIGINFO(s, a, when)                                                                        \
	{                                                                                          \
		s, a, SHAPE_SIGINFO, when, COUNT_ONE, SIGINFO_SIZE, ""                             \
	}
#define LEFT(s, a)                                                                                 \
	{                                                                                          \
		s, a, SHAPE_STRUCT, MEMORY_INTERRUPTED, COUNT_ONE, 0, ""                           \
	}
#define FDS(s, a)                                                                                  \
	{                                                                                          \
		s, a, SHAPE_FDS, MEMORY_IN, 0, 1, ""                                               \
	}
#define NODES(s, a, when, nr)                                                                      \
	{                                                                                          \
		s, a, SHAPE_NODES, when, nr, 1, ""                                                 \
	}
#define SIGEVENT(s, a)                                                                             \
	{                                                                                          \
		s, a, SHAPE_SIGEVENT, MEMORY_IN, COUNT_ONE, SIGEVENT_SIZE, ""                      \
	}
#define NOTHING(s, a)                                                                              \
	{                                                                                          \
		s, a, SHAPE_NONE, 0, 0, 0, ""                                                      \
	}

/* Strings that are read when a call begins need no row. */
static const struct read_row rows[] = {
	ADDRESS_OUT("accept", "upeer_sockaddr", 2),
	INTS("accept", "upeer_addrlen", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 4),
	ADDRESS_OUT("accept4", "upeer_sockaddr", 2),
	INTS("accept4", "upeer_addrlen", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 4),
	BYTES_IN("add_key", "_payload", 3),
	ADDRESS_IN("bind", "umyaddr", 2),
	STRUCT_OUT("adjtimex", "txc_p"),
	{ "bpf", "uattr", SHAPE_ATTR, MEMORY_IN, 2, 1, "" },
	NAMED_IN("capget", "header", "__user_cap_header_struct"),
	{ "capget", "dataptr", SHAPE_CAPS, MEMORY_OUT, COUNT_ONE, CAPS_SIZE, "" },
	NAMED_IN("capset", "header", "__user_cap_header_struct"),
	{ "capset", "data", SHAPE_CAPS, MEMORY_IN, COUNT_ONE, CAPS_SIZE, "" },
	STRUCT_OUT("clock_adjtime", "utx"),
	STRUCT_OUT("clock_getres", "tp"),
	STRUCT_OUT("clock_gettime", "tp"),
	STRUCT_IN("clock_nanosleep", "rqtp"),
	LEFT("clock_nanosleep", "rmtp"),
	STRUCT_IN("clock_settime", "tp"),
	SIZED_IN("clone3", "uargs", 1),
	ADDRESS_IN("connect", "uservaddr", 2),
	INTS("copy_file_range", "off_in", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 8),
	INTS("copy_file_range", "off_out", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 8),
	STRUCT_IN("epoll_ctl", "event"),
	STRUCTS("epoll_pwait", "events", MEMORY_OUT, COUNT_RESULT),
	SIGNALS("epoll_pwait", "sigmask", MEMORY_IN),
	STRUCTS("epoll_pwait2", "events", MEMORY_OUT, COUNT_RESULT),
	STRUCT_IN("epoll_pwait2", "timeout"),
	STRUCTS("epoll_wait", "events", MEMORY_OUT, COUNT_RESULT),
	{ "execve", "argv", SHAPE_STRINGS, MEMORY_IN, COUNT_ONE, 0, "" },
	{ "execveat", "argv", SHAPE_STRINGS, MEMORY_IN, COUNT_ONE, 0, "" },
	LOCK("fcntl"),
	BYTES_OUT("fgetxattr", "value"),
	BYTES_OUT("flistxattr", "list"),
	BYTES_IN("fsetxattr", "value", 3),
	STRUCT_OUT("fstat", "statbuf"),
	STRUCT_OUT("fstatfs", "buf"),
	STRUCT_IN("futex", "utime"),
	STRUCTS("futex_waitv", "waiters", MEMORY_IN, 1),
	PATH_OUT("getcwd", "buf"),
	INTS("getcpu", "cpup", MEMORY_OUT, COUNT_ONE, 4),
	INTS("getcpu", "nodep", MEMORY_OUT, COUNT_ONE, 4),
	{ "getdents", "dirent", SHAPE_OLD_ENTRIES, MEMORY_OUT, COUNT_RESULT, 1, "" },
	{ "getdents64", "dirent", SHAPE_ENTRIES, MEMORY_OUT, COUNT_RESULT, 1, "" },
	INTS("getgroups", "grouplist", MEMORY_OUT, COUNT_RESULT, 4),
	STRUCT_OUT("getitimer", "value"),
	{ "get_mempolicy", "policy", SHAPE_POLICY, MEMORY_OUT, COUNT_ONE, 4, "" },
	NODES("get_mempolicy", "nmask", MEMORY_OUT, 2),
	ADDRESS_OUT("getpeername", "usockaddr", 2),
	INTS("getpeername", "usockaddr_len", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 4),
	BYTES_OUT("getrandom", "ubuf"),
	INTS("getresgid", "rgidp", MEMORY_OUT, COUNT_ONE, 4),
	INTS("getresgid", "egidp", MEMORY_OUT, COUNT_ONE, 4),
	INTS("getresgid", "sgidp", MEMORY_OUT, COUNT_ONE, 4),
	INTS("getresuid", "ruidp", MEMORY_OUT, COUNT_ONE, 4),
	INTS("getresuid", "euidp", MEMORY_OUT, COUNT_ONE, 4),
	INTS("getresuid", "suidp", MEMORY_OUT, COUNT_ONE, 4),
	STRUCT_OUT("getrlimit", "rlim"),
	STRUCT_OUT("getrusage", "ru"),
	ADDRESS_OUT("getsockname", "usockaddr", 2),
	INTS("getsockname", "usockaddr_len", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 4),
	{ "getsockopt", "optval", SHAPE_OPTION, MEMORY_OUT, COUNT_AT + 4, 1, "" },
	INTS("getsockopt", "optlen", MEMORY_OUT, COUNT_ONE, 4),
	STRUCT_OUT("gettimeofday", "tv"),
	BYTES_OUT("getxattr", "value"),
	{ "io_uring_setup", "params", SHAPE_STRUCT, MEMORY_IN | MEMORY_OUT, COUNT_ONE, 0, "" },
	{ "ioctl", "arg", SHAPE_COMMAND, MEMORY_IN | MEMORY_OUT | MEMORY_OR_NUMBER, COUNT_ONE, 0,
	  "" },
	BYTES_OUT("lgetxattr", "value"),
	BYTES_OUT("listxattr", "list"),
	BYTES_OUT("llistxattr", "list"),
	INTS("lseek", "result", MEMORY_OUT, COUNT_ONE, 8),
	BYTES_IN("lsetxattr", "value", 3),
	STRUCT_OUT("lstat", "statbuf"),
	NODES("mbind", "nmask", MEMORY_IN, 4),
	NODES("migrate_pages", "old_nodes", MEMORY_IN, 1),
	NODES("migrate_pages", "new_nodes", MEMORY_IN, 1),
	NOTHING("mount", "data"),
	SIZED_IN("mount_setattr", "uattr", 4),
	STRUCT_OUT("mq_getsetattr", "u_omqstat"),
	SIGEVENT("mq_notify", "u_notification"),
	STRUCT_IN("mq_open", "u_attr"),
	BYTES_OUT("mq_timedreceive", "u_msg_ptr"),
	BYTES_IN("mq_timedsend", "u_msg_ptr", 2),
	STRUCT_IN("nanosleep", "rqtp"),
	LEFT("nanosleep", "rmtp"),
	STRUCT_OUT("newfstatat", "statbuf"),
	STRUCT_OUT("newuname", "name"),
	SIZED_IN("openat2", "how", 3),
	NAMED_IN("perf_event_open", "attr_uptr", "perf_event_attr"),
	INTS("pipe", "fildes", MEMORY_OUT, COUNT_TWO, 4),
	INTS("pipe2", "fildes", MEMORY_OUT, COUNT_TWO, 4),
	STRUCTS("poll", "ufds", MEMORY_IN | MEMORY_OUT, 1),
	STRUCTS("ppoll", "ufds", MEMORY_IN | MEMORY_OUT, 1),
	STRUCT_IN("ppoll", "tsp"),
	SIGNALS("ppoll", "sigmask", MEMORY_IN),
	{ "prctl", "arg2", SHAPE_NAME, MEMORY_IN | MEMORY_OUT | MEMORY_OR_NUMBER, COUNT_ONE,
	  MAX_TASK, "" },
	BYTES_OUT("pread64", "buf"),
	{ "preadv", "vec", SHAPE_VECTOR, MEMORY_OUT, 2, 0, "" },
	{ "preadv2", "vec", SHAPE_VECTOR, MEMORY_OUT, 2, 0, "" },
	STRUCT_IN("prlimit64", "new_rlim"),
	STRUCT_OUT("prlimit64", "old_rlim"),
	FDS("pselect6", "inp"),
	FDS("pselect6", "outp"),
	FDS("pselect6", "exp"),
	STRUCT_IN("pselect6", "tsp"),
	{ "pselect6", "sig", SHAPE_SIGMASK, MEMORY_IN, COUNT_ONE, 8, "" },
	BYTES_IN("pwrite64", "buf", 2),
	{ "pwritev", "vec", SHAPE_VECTOR, MEMORY_IN, 2, 0, "" },
	{ "pwritev2", "vec", SHAPE_VECTOR, MEMORY_IN, 2, 0, "" },
	BYTES_OUT("read", "buf"),
	PATH_OUT("readlink", "buf"),
	PATH_OUT("readlinkat", "buf"),
	{ "readv", "vec", SHAPE_VECTOR, MEMORY_OUT, 2, 0, "" },
	BYTES_OUT("recvfrom", "ubuf"),
	ADDRESS_OUT("recvfrom", "addr", 5),
	INTS("recvfrom", "addr_len", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 4),
	{ "recvmmsg", "mmsg", SHAPE_MESSAGES, MEMORY_OUT, COUNT_RESULT, 0, "" },
	STRUCT_IN("recvmmsg", "timeout"),
	{ "recvmsg", "msg", SHAPE_MESSAGE, MEMORY_OUT, COUNT_ONE, 0, "" },
	SIGACTION("act", MEMORY_IN),
	SIGACTION("oact", MEMORY_OUT),
	SIGNALS("rt_sigpending", "uset", MEMORY_OUT),
	SIGNALS("rt_sigprocmask", "nset", MEMORY_IN),
	SIGNALS("rt_sigprocmask", "oset", MEMORY_OUT),
	SIGINFO("rt_sigqueueinfo", "uinfo", MEMORY_IN),
	SIGNALS("rt_sigsuspend", "unewset", MEMORY_IN),
	SIGNALS("rt_sigtimedwait", "uthese", MEMORY_IN),
	SIGINFO("rt_sigtimedwait", "uinfo", MEMORY_OUT),
	STRUCT_IN("rt_sigtimedwait", "uts"),
	SIGINFO("rt_tgsigqueueinfo", "uinfo", MEMORY_IN),
	{ "sched_getaffinity", "user_mask_ptr", SHAPE_CPUS, MEMORY_OUT, COUNT_RESULT, 1, "" },
	STRUCT_OUT("sched_getattr", "uattr"),
	STRUCT_OUT("sched_getparam", "param"),
	STRUCT_OUT("sched_rr_get_interval", "interval"),
	{ "sched_setaffinity", "user_mask_ptr", SHAPE_CPUS, MEMORY_IN, 1, 1, "" },
	STRUCT_IN("sched_setattr", "uattr"),
	STRUCT_IN("sched_setparam", "param"),
	STRUCT_IN("sched_setscheduler", "param"),
	NAMED_IN("seccomp", "uargs", "sock_fprog"),
	FDS("select", "inp"),
	FDS("select", "outp"),
	FDS("select", "exp"),
	STRUCT_IN("select", "tvp"),
	STRUCTS("semop", "tsops", MEMORY_IN, 2),
	STRUCTS("semtimedop", "tsops", MEMORY_IN, 2),
	INTS("sendfile", "offset", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 8),
	INTS("sendfile64", "offset", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 8),
	{ "sendmmsg", "mmsg", SHAPE_MESSAGES, MEMORY_IN, 2, 0, "" },
	{ "sendmsg", "msg", SHAPE_MESSAGE, MEMORY_IN, COUNT_ONE, 0, "" },
	BYTES_IN("sendto", "buff", 2),
	ADDRESS_IN("sendto", "addr", 5),
	BYTES_IN("setdomainname", "name", 1),
	INTS("setgroups", "grouplist", MEMORY_IN, 0, 4),
	BYTES_IN("sethostname", "name", 1),
	STRUCT_IN("setitimer", "value"),
	NODES("set_mempolicy", "nmask", MEMORY_IN, 2),
	STRUCT_OUT("setitimer", "ovalue"),
	STRUCT_IN("setrlimit", "rlim"),
	STRUCT_IN("settimeofday", "tv"),
	{ "setsockopt", "optval", SHAPE_OPTION, MEMORY_IN, 4, 1, "" },
	BYTES_IN("setxattr", "value", 3),
	NOTHING("shmat", "shmaddr"),
	NOTHING("shmdt", "shmaddr"),
	SIGNALS("signalfd", "user_mask", MEMORY_IN),
	SIGNALS("signalfd4", "user_mask", MEMORY_IN),
	NAMED_IN("sigaltstack", "uss", "sigaltstack"),
	NAMED_OUT("sigaltstack", "uoss", "sigaltstack"),
	INTS("socketpair", "usockvec", MEMORY_OUT, COUNT_TWO, 4),
	INTS("splice", "off_in", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 8),
	INTS("splice", "off_out", MEMORY_IN | MEMORY_OUT, COUNT_ONE, 8),
	STRUCT_OUT("stat", "statbuf"),
	STRUCT_OUT("statfs", "buf"),
	STRUCT_OUT("statx", "buffer"),
	STRUCT_OUT("sysinfo", "info"),
	BYTES_OUT("syslog", "buf"),
	INTS("timer_create", "created_timer_id", MEMORY_OUT, COUNT_ONE, 4),
	SIGEVENT("timer_create", "timer_event_spec"),
	STRUCT_OUT("timer_gettime", "setting"),
	STRUCT_IN("timer_settime", "new_setting"),
	STRUCT_OUT("timer_settime", "old_setting"),
	STRUCT_OUT("timerfd_gettime", "otmr"),
	STRUCT_IN("timerfd_settime", "utmr"),
	STRUCT_OUT("timerfd_settime", "otmr"),
	STRUCT_OUT("times", "tbuf"),
	STRUCT_OUT("uname", "name"),
	STRUCT_IN("utime", "times"),
	STRUCTS("utimensat", "utimes", MEMORY_IN, COUNT_TWO),
	STRUCTS("utimes", "utimes", MEMORY_IN, COUNT_TWO),
	{ "vmsplice", "uiov", SHAPE_VECTOR, MEMORY_IN, 2, 0, "" },
	{ "wait4", "stat_addr", SHAPE_STATUS, MEMORY_OUT | MEMORY_POSITIVE, COUNT_ONE, 4, "" },
	{ "wait4", "ru", SHAPE_STRUCT, MEMORY_OUT | MEMORY_POSITIVE, COUNT_ONE, 0, "" },
	SIGINFO("waitid", "infop", MEMORY_OUT),
	STRUCT_OUT("waitid", "ru"),
	BYTES_IN("write", "buf", 2),
	{ "writev", "vec", SHAPE_VECTOR, MEMORY_IN, 2, 0, "" },
};

static const struct read_row *find_row(const char *syscall, const char *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].syscall, syscall) && !strcmp(rows[i].arg, arg))
			return &rows[i];
	return NULL;
}

static bool is_string(const char *type)
{
	return strncmp(type, "const ", 6) ? !strncmp(type, "char * ", 7)
					  : !strncmp(type + 6, "char * ", 7);
}

/* "const struct sigaction *": sigaction */
static void set_structure(struct trace_read *r, const char *type)
{
	static const char word[] = "struct ";
	const char *at = strstr(type, word);

	if (!at)
		return;
	r->type = at + strlen(word);
	r->type_len = (u8)strcspn(r->type, " *");
}

/* Structures of 32-bit programs: what the kernel calls them. The same names: they are the same. */
static const char *const compat_types[][2] = {
	{ "__kernel_itimerspec", "old_itimerspec32" },
	{ "__kernel_old_itimerval", "old_itimerval32" },
	{ "__kernel_old_timeval", "old_timeval32" },
	{ "__kernel_timespec", "old_timespec32" },
	{ "__kernel_timex", "old_timex32" },
	{ "__user_cap_data_struct", "__user_cap_data_struct" },
	{ "__user_cap_header_struct", "__user_cap_header_struct" },
	{ "clone_args", "clone_args" },
	{ "compat_rlimit", "compat_rlimit" },
	{ "compat_stat", "compat_stat" },
	{ "compat_statfs64", "compat_statfs64" },
	{ "epoll_event", "epoll_event" },
	{ "flock", "compat_flock" },
	{ "futex_waitv", "futex_waitv" },
	{ "io_uring_params", "io_uring_params" },
	{ "landlock_ruleset_attr", "landlock_ruleset_attr" },
	{ "mount_attr", "mount_attr" },
	{ "mq_attr", "compat_mq_attr" },
	{ "new_utsname", "new_utsname" },
	{ "open_how", "open_how" },
	{ "perf_event_attr", "perf_event_attr" },
	{ "pollfd", "pollfd" },
	{ "rlimit", "compat_rlimit" },
	{ "rlimit64", "rlimit64" },
	{ "rusage", "compat_rusage" },
	{ "sched_attr", "sched_attr" },
	{ "sched_param", "sched_param" },
	{ "sembuf", "sembuf" },
	{ "sigaction", "compat_sigaction" },
	{ "sigaltstack", "compat_sigaltstack" },
	{ "sock_fprog", "compat_sock_fprog" },
	{ "stat64", "stat64" },
	{ "statfs", "compat_statfs" },
	{ "statx", "statx" },
	{ "sysinfo", "compat_sysinfo" },
	{ "tms", "compat_tms" },
	{ "utimbuf", "old_utimbuf32" },
};

static void set_compat(struct trace_read *r, const char *syscall)
{
	size_t len = strlen(syscall);
	bool wide = len > 2 && !strcmp(syscall + len - 2, "64");

	if (r->shape == SHAPE_INTS && !wide && !strcmp(syscall, "sendfile"))
		r->size = 4;
	if (r->shape == SHAPE_SIGACTION)
		r->size = COMPAT_SIGACTION_SIZE;
	/* ids of 16 bits */
	if (r->shape == SHAPE_INTS &&
	    (strstr(syscall, "uid") || strstr(syscall, "gid") || strstr(syscall, "groups")) &&
	    strcmp(syscall + len - 2, "32"))
		*r = (struct trace_read){ 0 };
	if (!r->type)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(compat_types); i++) {
		const char *type = compat_types[i][wide ? 0 : 1];

		if (strncmp(compat_types[i][0], r->type, r->type_len) != 0 ||
		    compat_types[i][0][r->type_len])
			continue;
		r->type = type;
		r->type_len = (u8)strlen(type);
		return;
	}
	*r = (struct trace_read){ 0 };
}

void trace_read_of(struct trace_read *r, const struct trace_syscall *s, const char *syscall,
		   const char *text)
{
	const char *space = strrchr(text, ' '), *name = space ? space + 1 : text;
	const struct read_row *row = find_row(syscall, name);

	*r = (struct trace_read){ 0 };
	if (row) {
		r->shape = row->shape;
		r->when = row->when;
		r->count = row->count;
		r->size = row->size;
		if (row->type[0]) {
			r->type = row->type;
			r->type_len = (u8)strlen(row->type);
		} else if (row->shape == SHAPE_STRUCT || row->shape == SHAPE_STRUCTS) {
			set_structure(r, text);
		}
	} else if (is_string(text)) {
		r->shape = SHAPE_STRING;
		r->when = MEMORY_IN;
		r->count = COUNT_ONE;
	} else if (!strncmp(text, "const struct ", 13)) {
		/* what is not written to is there when the call begins */
		set_structure(r, text);
		r->shape = SHAPE_STRUCT;
		r->when = MEMORY_IN;
		r->count = COUNT_ONE;
	}
	if (s->arch == TRACE_I386)
		set_compat(r, s->name);
}

/* ------------------------------------------------------------------ for the kernel */

static void set_size(struct memory_rule *m, const struct trace_read *r,
		     const struct trace_layouts *l)
{
	u32 id = r->type && l ? trace_layout_find(l, r->type, r->type_len) : 0;

	m->size = r->size ? r->size : (u16)MIN(trace_layout_size(l, id), (u32)MAX_STRUCTURE);
	m->most = MAX_STRUCTURE;
	if (!id)
		m->memory = MEMORY_NONE;
}

static void set_rule(struct memory_rule *m, const struct trace_read *r,
		     const struct trace_layouts *l)
{
	*m = (struct memory_rule){
		.memory = MEMORY_BYTES, .when = r->when, .count = r->count, .size = r->size
	};
	switch ((enum trace_shape)r->shape) {
	case SHAPE_NONE:
		m->memory = MEMORY_NONE;
		m->when = 0;
		return;
	case SHAPE_STRING:
		m->memory = MEMORY_STRING;
		break;
	case SHAPE_PATH:
		m->most = MAX_PATH;
		break;
	case SHAPE_ADDRESS:
		m->most = MAX_NAME;
		break;
	case SHAPE_STRUCT:
	case SHAPE_STRUCTS:
		set_size(m, r, l);
		break;
	case SHAPE_INTS:
	case SHAPE_SIGNALS:
	case SHAPE_POLICY:
		m->most = MAX_INTS;
		break;
	case SHAPE_SIGACTION:
	case SHAPE_LOCK:
	case SHAPE_STATUS:
	case SHAPE_SIGINFO:
	case SHAPE_SIGEVENT:
	case SHAPE_CAPS:
		m->most = r->size;
		break;
	case SHAPE_ENTRIES:
	case SHAPE_OLD_ENTRIES:
		m->most = MAX_ENTRIES;
		break;
	case SHAPE_SIGMASK:
		m->memory = MEMORY_POINTER;
		m->most = r->size;
		break;
	case SHAPE_CPUS:
	case SHAPE_FDS:
	case SHAPE_NODES:
		m->most = MAX_CPUS;
		break;
	case SHAPE_STRINGS:
		m->memory = MEMORY_STRINGS;
		break;
	case SHAPE_VECTOR:
		m->memory = MEMORY_VECTOR;
		break;
	case SHAPE_MESSAGE:
		m->memory = MEMORY_MESSAGE;
		break;
	case SHAPE_MESSAGES:
		m->memory = MEMORY_MESSAGES;
		break;
	case SHAPE_COMMAND:
		m->memory = MEMORY_COMMAND;
		break;
	case SHAPE_NAME:
		m->memory = MEMORY_STRING;
		m->most = r->size;
		break;
	case SHAPE_ATTR:
		m->most = MAX_ATTR;
		break;
	default:
		break;
	}
}

void trace_call_rules(struct call_rules *rules, const struct trace_syscall *s,
		      const struct trace_layouts *l)
{
	*rules = (struct call_rules){ .wanted = 1, .replaces = !strncmp(s->name, "execve", 6) };
	for (unsigned int i = 0; i < s->nr_args; i++) {
		set_rule(&rules->args[i], &s->args[i].read, l);
		rules->reads |= rules->args[i].when & (MEMORY_IN | MEMORY_OUT | MEMORY_INTERRUPTED);
	}
}
