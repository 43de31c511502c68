BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE device (
	id INTEGER NOT NULL, 
	token_hash BLOB NOT NULL, 
	created_at VARCHAR(20) NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT device_token_hash UNIQUE (token_hash)
);
INSERT INTO "device" VALUES(1,X'65DB792CE4998816ACF559084CFAF965FE768C512B9C65C8ADD02E0FD1AD2296','2026-11-29T23:57:11Z');
CREATE TABLE event (
	series_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	at VARCHAR(20) NOT NULL, 
	"by" INTEGER, 
	data TEXT NOT NULL, 
	hash BLOB NOT NULL, 
	PRIMARY KEY (series_id, number), 
	FOREIGN KEY(series_id) REFERENCES series (id), 
	FOREIGN KEY("by") REFERENCES device (id)
);
INSERT INTO "event" VALUES('nuNLEjrCTRi0',1,'started','2026-11-29T23:57:11Z',1,'{"first_dealer":1,"game":"bakappana","length":12,"players":[1,2,3,4],"rules":{"chaff":1,"dealer_tie":"turn_order","sanju_method":"floor_each","settlement":"par","tie":"nobody","two_player_end":"drain"}}',X'E66FD45B45C374D9B69E2B06C2ABD072A8B35577AD34D877851C3F29FEC98BD1');
INSERT INTO "event" VALUES('nuNLEjrCTRi0',2,'recorded','2026-11-29T23:57:11Z',1,'{"rounds":[{"after":1,"before":null,"round":1}]}',X'79493457B48F816668F1A8A7159AA40A3C2BBE30BDE59A3244227FE8B4662B0A');
INSERT INTO "event" VALUES('nuNLEjrCTRi0',3,'recorded','2026-11-29T23:57:11Z',1,'{"rounds":[{"after":1,"before":null,"round":2}]}',X'96CD64B64F53A572E32896DA4FEF77C10AEC44760B2D15CE7AC303B3AAD76002');
INSERT INTO "event" VALUES('nuNLEjrCTRi0',4,'recorded','2026-11-29T23:57:11Z',NULL,'{"rounds":[{"after":1,"before":null,"round":3}]}',X'5F7432A5173A4FC22E440E3A9C715DDF2EF7F2132AC01D8A3462774F5FE7EB71');
INSERT INTO "event" VALUES('nuNLEjrCTRi0',5,'recorded','2026-11-29T23:57:11Z',1,'{"rounds":[{"after":1,"before":null,"round":4}]}',X'D359A931AD79BAB2B0156D0E9BBC1D34E40F2A7662E87BA9C8B976E320F593BF');
INSERT INTO "event" VALUES('nuNLEjrCTRi0',6,'corrected','2026-11-29T23:57:11Z',1,'{"rounds":[{"after":2,"before":1,"round":2}]}',X'C790A229FACEABE137B42997699A43B49938760ECFD15A78FAFF0EC5BDB156A7');
INSERT INTO "event" VALUES('otM61cDu3EJc',1,'started','2026-11-29T23:57:11Z',NULL,'{"first_dealer":1,"game":"hachi-hachi","length":null,"players":[1,2,3],"rules":{"all88":"off","dealer_tie":"turn_order","dekiyaku_multi":"add","kasu16":"off","kasu16_willow":false,"multi_bright":"carry_over","nanatan_extra":0,"next_starter":"winner","over168":"off","payment":"accumulate","sage_penalty":"none","specials_replace":"all","standing_triplets":false,"teyaku":"best_one","willow_as_chaff":false}}',X'8C09DC275060C39869D5BA1E6EF4A5816AFC77271037DB6BF099A423118D0D20');
INSERT INTO "event" VALUES('otM61cDu3EJc',2,'recorded','2026-11-29T23:57:11Z',NULL,'{"rounds":[{"after":1,"before":null,"round":1}]}',X'4B750B222FBB0A1DC86C42624D7C7C74AA85C13EA652BC8C41B9415EF687978F');
INSERT INTO "event" VALUES('otM61cDu3EJc',3,'recorded','2026-11-29T23:57:11Z',NULL,'{"rounds":[{"after":1,"before":null,"round":2}]}',X'68716B56D29569B561DC27D1BCC51A249754F63A27B911970CAB94A8B8970C7C');
INSERT INTO "event" VALUES('otM61cDu3EJc',4,'corrected','2026-11-29T23:57:11Z',NULL,'{"rounds":[{"after":2,"before":1,"round":1},{"after":2,"before":1,"round":2}]}',X'78F5E0552CF7C23F5F90C8917E5A12C9D0193189E01A79A11C546E9F7FF5C88A');
CREATE TABLE grant (
	device_id INTEGER NOT NULL, 
	series_id VARCHAR(16) NOT NULL, 
	role VARCHAR(10) NOT NULL, 
	generation INTEGER NOT NULL, 
	PRIMARY KEY (device_id, series_id, role), 
	FOREIGN KEY(device_id) REFERENCES device (id), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "grant" VALUES(1,'nuNLEjrCTRi0','manage',1);
CREATE TABLE head (
	series_id VARCHAR(16) NOT NULL, 
	seal BLOB NOT NULL, 
	PRIMARY KEY (series_id), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "head" VALUES('nuNLEjrCTRi0',X'CE7EFFB3B4C3F4000B79A351EF98B412E9A365598F22B049BD4AD39F2AC434B6');
INSERT INTO "head" VALUES('otM61cDu3EJc',X'1A248AA6E0004108C4161CFF39F2F12929644017D567044955E3A327F09A6897');
CREATE TABLE kept_answer (
	series_id VARCHAR(16) NOT NULL, 
	"key" VARCHAR(200) NOT NULL, 
	body_hash BLOB NOT NULL, 
	status INTEGER NOT NULL, 
	answer TEXT NOT NULL, 
	PRIMARY KEY (series_id, "key"), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "kept_answer" VALUES('nuNLEjrCTRi0','one tap',X'2F3B514712A5FBC3D0008C732B06BECF3BE5304C45C1305E23BE83F75CA6FBEF',201,'{"revision":1,"round":1}');
CREATE TABLE player (
	series_id VARCHAR(16) NOT NULL, 
	id INTEGER NOT NULL, 
	event_number INTEGER NOT NULL, 
	PRIMARY KEY (series_id, id), 
	FOREIGN KEY(series_id, event_number) REFERENCES event (series_id, number), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "player" VALUES('nuNLEjrCTRi0',1,1);
INSERT INTO "player" VALUES('nuNLEjrCTRi0',2,1);
INSERT INTO "player" VALUES('nuNLEjrCTRi0',3,1);
INSERT INTO "player" VALUES('nuNLEjrCTRi0',4,1);
INSERT INTO "player" VALUES('otM61cDu3EJc',1,1);
INSERT INTO "player" VALUES('otM61cDu3EJc',2,1);
INSERT INTO "player" VALUES('otM61cDu3EJc',3,1);
CREATE TABLE player_name (
	series_id VARCHAR(16) NOT NULL, 
	player_id INTEGER NOT NULL, 
	event_number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (series_id, player_id, event_number), 
	FOREIGN KEY(series_id, player_id) REFERENCES player (series_id, id), 
	FOREIGN KEY(series_id, event_number) REFERENCES event (series_id, number)
);
INSERT INTO "player_name" VALUES('nuNLEjrCTRi0',1,1,'Aki');
INSERT INTO "player_name" VALUES('nuNLEjrCTRi0',2,1,'Ben');
INSERT INTO "player_name" VALUES('nuNLEjrCTRi0',3,1,'ゆき');
INSERT INTO "player_name" VALUES('nuNLEjrCTRi0',4,1,'Dan');
INSERT INTO "player_name" VALUES('otM61cDu3EJc',1,1,'Aki');
INSERT INTO "player_name" VALUES('otM61cDu3EJc',2,1,'Ben');
INSERT INTO "player_name" VALUES('otM61cDu3EJc',3,1,'Chie');
CREATE TABLE posting (
	series_id VARCHAR(16) NOT NULL, 
	event_number INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	round_number INTEGER, 
	player_id INTEGER NOT NULL, 
	amount BIGINT NOT NULL, 
	unit VARCHAR(10) NOT NULL, 
	PRIMARY KEY (series_id, event_number, line), 
	FOREIGN KEY(series_id, event_number) REFERENCES event (series_id, number), 
	FOREIGN KEY(series_id, player_id) REFERENCES player (series_id, id)
);
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',2,0,1,1,12,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',2,1,1,2,-4,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',2,2,1,3,-8,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',3,0,2,1,0,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',3,1,2,2,4,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',3,2,2,3,-4,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',4,0,3,2,-8,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',4,1,3,3,-4,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',4,2,3,4,12,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',5,0,4,1,0,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',5,1,4,2,0,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',5,2,4,4,0,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',6,0,2,1,0,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',6,1,2,2,-4,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',6,2,2,3,4,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',6,3,2,1,10,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',6,4,2,2,-6,'points');
INSERT INTO "posting" VALUES('nuNLEjrCTRi0',6,5,2,3,-4,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',2,0,1,1,48,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',2,1,1,2,-16,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',2,2,1,3,-32,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',3,0,2,1,4,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',3,1,2,2,4,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',3,2,2,3,-8,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,0,1,1,-48,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,1,1,2,16,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,2,1,3,32,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,3,1,1,48,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,4,1,2,-16,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,5,1,3,-32,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,6,2,1,-4,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,7,2,2,-4,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,8,2,3,8,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,9,2,1,2,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,10,2,2,2,'points');
INSERT INTO "posting" VALUES('otM61cDu3EJc',4,11,2,3,-4,'points');
CREATE TABLE round_revision (
	series_id VARCHAR(16) NOT NULL, 
	round_number INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	entry TEXT NOT NULL, 
	result TEXT NOT NULL, 
	event_number INTEGER NOT NULL, 
	PRIMARY KEY (series_id, round_number, revision), 
	FOREIGN KEY(series_id, event_number) REFERENCES event (series_id, number), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "round_revision" VALUES('nuNLEjrCTRi0',1,1,'{"carried":[],"dealer":0,"game":"bakappana","rules":{"chaff":1,"dealer_tie":"turn_order","sanju_method":"floor_each","settlement":"par","tie":"nobody","two_player_end":"drain"},"seats":[{"player":1,"points":100},{"player":2,"points":84},{"player":3,"points":80}]}','{"amounts":[12,-4,-8],"carry":[],"game":"bakappana","multiplier":1,"next_dealer":0,"payments":[{"amount":4,"from":1,"to":0},{"amount":8,"from":2,"to":0}],"seats":[{"card_points":100,"dekiyaku":[],"score":100,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":84,"special":[],"teyaku":[]},{"card_points":80,"dekiyaku":[],"score":80,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[0],"zero_sum":true}',2);
INSERT INTO "round_revision" VALUES('nuNLEjrCTRi0',2,1,'{"carried":[],"dealer":0,"game":"bakappana","rules":{"chaff":1,"dealer_tie":"turn_order","sanju_method":"floor_each","settlement":"par","tie":"nobody","two_player_end":"drain"},"seats":[{"player":1,"points":88},{"player":2,"points":92},{"player":3,"points":84}]}','{"amounts":[0,4,-4],"carry":[],"game":"bakappana","multiplier":1,"next_dealer":1,"payments":[{"amount":4,"from":2,"to":1}],"seats":[{"card_points":88,"dekiyaku":[],"score":88,"special":[],"teyaku":[]},{"card_points":92,"dekiyaku":[],"score":92,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":84,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[1],"zero_sum":true}',3);
INSERT INTO "round_revision" VALUES('nuNLEjrCTRi0',3,1,'{"carried":[],"dealer":0,"game":"bakappana","rules":{"chaff":1,"dealer_tie":"turn_order","sanju_method":"floor_each","settlement":"par","tie":"nobody","two_player_end":"drain"},"seats":[{"player":2,"points":80},{"player":3,"points":84},{"player":4,"points":100}]}','{"amounts":[-8,-4,12],"carry":[],"game":"bakappana","multiplier":1,"next_dealer":2,"payments":[{"amount":8,"from":0,"to":2},{"amount":4,"from":1,"to":2}],"seats":[{"card_points":80,"dekiyaku":[],"score":80,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":84,"special":[],"teyaku":[]},{"card_points":100,"dekiyaku":[],"score":100,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[2],"zero_sum":true}',4);
INSERT INTO "round_revision" VALUES('nuNLEjrCTRi0',4,1,'{"carried":[],"dealer":2,"end":"void","game":"bakappana","rules":{"chaff":1,"dealer_tie":"turn_order","sanju_method":"floor_each","settlement":"par","tie":"nobody","two_player_end":"drain"},"seats":[{"player":1},{"player":2},{"player":4}]}','{"amounts":[0,0,0],"carry":[],"game":"bakappana","multiplier":1,"next_dealer":2,"payments":[],"seats":[{"card_points":null,"dekiyaku":[],"score":null,"special":[],"teyaku":[]},{"card_points":null,"dekiyaku":[],"score":null,"special":[],"teyaku":[]},{"card_points":null,"dekiyaku":[],"score":null,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[],"zero_sum":true}',5);
INSERT INTO "round_revision" VALUES('nuNLEjrCTRi0',2,2,'{"carried":[],"dealer":0,"game":"bakappana","rules":{"chaff":1,"dealer_tie":"turn_order","sanju_method":"floor_each","settlement":"par","tie":"nobody","two_player_end":"drain"},"seats":[{"player":1,"points":98},{"player":2,"points":82},{"player":3,"points":84}]}','{"amounts":[10,-6,-4],"carry":[],"game":"bakappana","multiplier":1,"next_dealer":0,"payments":[{"amount":6,"from":1,"to":0},{"amount":4,"from":2,"to":0}],"seats":[{"card_points":98,"dekiyaku":[],"score":98,"special":[],"teyaku":[]},{"card_points":82,"dekiyaku":[],"score":82,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":84,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[0],"zero_sum":true}',6);
INSERT INTO "round_revision" VALUES('otM61cDu3EJc',1,1,'{"carried":[],"dealer":0,"field":"8B 12B","game":"hachi-hachi","rules":{"all88":"off","dealer_tie":"turn_order","dekiyaku_multi":"add","kasu16":"off","kasu16_willow":false,"multi_bright":"carry_over","nanatan_extra":0,"next_starter":"winner","over168":"off","payment":"accumulate","sage_penalty":"none","specials_replace":"all","standing_triplets":false,"teyaku":"best_one","willow_as_chaff":false},"seats":[{"player":1,"points":100},{"player":2,"points":84},{"player":3,"points":80}]}','{"amounts":[48,-16,-32],"carry":[2],"game":"hachi-hachi","multiplier":4,"next_dealer":0,"payments":[],"seats":[{"card_points":100,"dekiyaku":[],"score":48,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":-16,"special":[],"teyaku":[]},{"card_points":80,"dekiyaku":[],"score":-32,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[0],"zero_sum":false}',2);
INSERT INTO "round_revision" VALUES('otM61cDu3EJc',2,1,'{"carried":[2],"dealer":0,"game":"hachi-hachi","rules":{"all88":"off","dealer_tie":"turn_order","dekiyaku_multi":"add","kasu16":"off","kasu16_willow":false,"multi_bright":"carry_over","nanatan_extra":0,"next_starter":"winner","over168":"off","payment":"accumulate","sage_penalty":"none","specials_replace":"all","standing_triplets":false,"teyaku":"best_one","willow_as_chaff":false},"seats":[{"player":1,"points":90},{"player":2,"points":90},{"player":3,"points":84}]}','{"amounts":[4,4,-8],"carry":[],"game":"hachi-hachi","multiplier":2,"next_dealer":0,"payments":[],"seats":[{"card_points":90,"dekiyaku":[],"score":4,"special":[],"teyaku":[]},{"card_points":90,"dekiyaku":[],"score":4,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":-8,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[0,1],"zero_sum":false}',3);
INSERT INTO "round_revision" VALUES('otM61cDu3EJc',1,2,'{"carried":[],"dealer":0,"field":"12B","game":"hachi-hachi","rules":{"all88":"off","dealer_tie":"turn_order","dekiyaku_multi":"add","kasu16":"off","kasu16_willow":false,"multi_bright":"carry_over","nanatan_extra":0,"next_starter":"winner","over168":"off","payment":"accumulate","sage_penalty":"none","specials_replace":"all","standing_triplets":false,"teyaku":"best_one","willow_as_chaff":false},"seats":[{"player":1,"points":100},{"player":2,"points":84},{"player":3,"points":80}]}','{"amounts":[48,-16,-32],"carry":[],"game":"hachi-hachi","multiplier":4,"next_dealer":0,"payments":[],"seats":[{"card_points":100,"dekiyaku":[],"score":48,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":-16,"special":[],"teyaku":[]},{"card_points":80,"dekiyaku":[],"score":-32,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[0],"zero_sum":false}',4);
INSERT INTO "round_revision" VALUES('otM61cDu3EJc',2,2,'{"carried":[],"dealer":0,"game":"hachi-hachi","rules":{"all88":"off","dealer_tie":"turn_order","dekiyaku_multi":"add","kasu16":"off","kasu16_willow":false,"multi_bright":"carry_over","nanatan_extra":0,"next_starter":"winner","over168":"off","payment":"accumulate","sage_penalty":"none","specials_replace":"all","standing_triplets":false,"teyaku":"best_one","willow_as_chaff":false},"seats":[{"player":1,"points":90},{"player":2,"points":90},{"player":3,"points":84}]}','{"amounts":[2,2,-4],"carry":[],"game":"hachi-hachi","multiplier":1,"next_dealer":0,"payments":[],"seats":[{"card_points":90,"dekiyaku":[],"score":2,"special":[],"teyaku":[]},{"card_points":90,"dekiyaku":[],"score":2,"special":[],"teyaku":[]},{"card_points":84,"dekiyaku":[],"score":-4,"special":[],"teyaku":[]}],"undecided":null,"unit":"points","warnings":[],"winners":[0,1],"zero_sum":false}',4);
CREATE TABLE secret (
	series_id VARCHAR(16) NOT NULL, 
	role VARCHAR(10) NOT NULL, 
	generation INTEGER NOT NULL, 
	hash BLOB NOT NULL, 
	PRIMARY KEY (series_id, role), 
	CONSTRAINT secret_hash UNIQUE (hash), 
	FOREIGN KEY(series_id) REFERENCES series (id)
);
INSERT INTO "secret" VALUES('nuNLEjrCTRi0','view',1,X'4F275A93C0665F607C2A920B6C0E2C96657E115CF18BA48A32122888C80E8A83');
INSERT INTO "secret" VALUES('nuNLEjrCTRi0','enter',1,X'6536BD361E0A9F6DB820E9706469C42F3AA5F0CE15A66BE9A8D1AEE72CC79E98');
INSERT INTO "secret" VALUES('nuNLEjrCTRi0','manage',1,X'6613F720FAE146762779AC5F266ADD672F0D7326F550480CA73A169E49ACFCE0');
INSERT INTO "secret" VALUES('otM61cDu3EJc','view',1,X'8BD4A18367DB8552C7839ABA1BCCBFE7347378D0D3BBD7C2A8522B97FC0AD980');
INSERT INTO "secret" VALUES('otM61cDu3EJc','enter',1,X'22E448F57A06126E18AF33E034A329E418AFCAD88408DA8EDBADD90BFA181BFC');
INSERT INTO "secret" VALUES('otM61cDu3EJc','manage',1,X'381EDE24706BF90A3D0EED33C800FA3622E3D97B4576421810863B359E41EA6D');
CREATE TABLE series (
	id VARCHAR(16) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	length INTEGER, 
	created_at VARCHAR(20) NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "series" VALUES('nuNLEjrCTRi0','bakappana',12,'2026-11-29T23:57:11Z');
INSERT INTO "series" VALUES('otM61cDu3EJc','hachi-hachi',NULL,'2026-11-29T23:57:11Z');
CREATE TRIGGER event_keeps_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;
CREATE TRIGGER event_keeps_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;
CREATE TRIGGER round_revision_keeps_update BEFORE UPDATE ON round_revision BEGIN SELECT RAISE(ABORT, 'round_revision is append-only'); END;
CREATE TRIGGER round_revision_keeps_delete BEFORE DELETE ON round_revision BEGIN SELECT RAISE(ABORT, 'round_revision is append-only'); END;
CREATE TRIGGER posting_keeps_update BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'posting is append-only'); END;
CREATE TRIGGER posting_keeps_delete BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'posting is append-only'); END;
COMMIT;
