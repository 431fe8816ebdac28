# clickhouse.bash - sourced: two servers of ClickHouse (Debian's clickhouse-server) on 127.0.0.1, shards of the cluster
# `shards`, in $WORK/shard1 and $WORK/shard2.
# shellcheck shell=bash
command -v clickhouse-server >/dev/null || skip "clickhouse-server is not installed"
read -r http1 http2 tcp1 tcp2 < <(python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
print(*(s.getsockname()[1] for s in sockets))')
shard() { eval "echo \$$1$2"; } # http|tcp NUMBER

write_config() { # NUMBER
    local dir=$WORK/shard$1 key="<user>asker</user><password>key</password>"
    mkdir -p "$dir"
    cat >"$dir/config.xml" <<XML
<yandex>
    <logger><level>warning</level><log>$dir/log</log><errorlog>$dir/errors</errorlog></logger>
    <http_port>$(shard http "$1")</http_port><tcp_port>$(shard tcp "$1")</tcp_port><listen_host>127.0.0.1</listen_host>
    <path>$dir/data/</path><tmp_path>$dir/tmp/</tmp_path><users_config>$dir/users.xml</users_config>
    <mark_cache_size>67108864</mark_cache_size><keep_alive_timeout>1</keep_alive_timeout>
    <default_profile>default</default_profile><default_database>default</default_database>
    <remote_servers><shards>
        <shard><replica><host>127.0.0.1</host><port>$tcp1</port>$key</replica></shard>
        <shard><replica><host>127.0.0.1</host><port>$tcp2</port>$key</replica></shard>
    </shards></remote_servers>
</yandex>
XML
    cat >"$dir/users.xml" <<XML
<yandex><profiles><default></default></profiles><quotas><default></default></quotas><users>
    <asker><password>key</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
    <quota>default</quota></asker>
</users></yandex>
XML
}
start_shard() { # NUMBER
    clickhouse-server --config-file="$WORK/shard$1/config.xml" >"$WORK/shard$1/out" 2>&1 &
    eval "pid$1=$!"
    disown # the shell would tell that it was killed
    for _ in $(seq 600); do
        curl -s "http://127.0.0.1:$(shard http "$1")/" >/dev/null && return
        sleep 0.05
    done
    die "clickhouse-server does not start: $(tail -n 3 "$WORK/shard$1/errors")"
}
kill_shard() { # NUMBER
    eval "kill -KILL \$pid$1; while kill -0 \$pid$1 2>/dev/null; do sleep 0.01; done; pid$1="
}
pid1='' pid2=''
trap 'for pid in $pid1 $pid2; do kill -KILL $pid; done 2>/dev/null; rm -rf "$WORK"' EXIT
write_config 1; write_config 2
